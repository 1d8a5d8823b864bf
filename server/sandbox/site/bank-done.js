// Tells the payment page's script, which shows the bank in a frame, that the bank has its answer.
if (window.parent !== window)
  window.parent.postMessage({ source: 'card-gateway', bank: 'done' }, '*');
