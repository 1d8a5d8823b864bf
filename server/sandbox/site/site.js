// Keeps figures, ages and likers true while the page is open, and shows what will be uploaded.
const EVERY_MS = 2000;
const posts = [...document.querySelectorAll('[data-post]')];
const feed = document.querySelector('[data-newest]');
const detail = document.querySelector('[data-detail]');

const format = (count) => count.toLocaleString('en-US');

function ageText(ms) {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days === 1 ? 'yesterday' : `${days} days ago`;
}

function write(place, value) {
  if (!place || value === null || place.textContent === format(value)) return;
  place.textContent = format(value);
  const likes = place.closest('.likes');
  if (!likes) return;
  const word = likes.querySelector('[data-likes-word]');
  if (word) word.textContent = value === 1 ? 'like' : 'likes';
  likes.classList.remove('rose');
  window.requestAnimationFrame(() => likes.classList.add('rose'));
}

function showCounts(post, counts) {
  write(post.querySelector('[data-likes]'), counts.likes);
  write(post.querySelector('[data-views]'), counts.views);
  write(post.querySelector('[data-members]'), counts.fromMembers);
}

function likerRow({ name, at }) {
  const row = document.createElement('li');
  const initial = document.createElement('span');
  initial.className = 'initial';
  initial.setAttribute('aria-hidden', 'true');
  initial.textContent = name.slice(0, 1).toUpperCase();
  const label = document.createElement('span');
  label.textContent = name;
  const age = document.createElement('small');
  age.textContent = ageText(Date.now() - at);
  row.append(initial, label, age);
  return row;
}

async function refreshLikers() {
  const answer = await window.fetch(`/live/likers/${detail.dataset.post}`);
  if (!answer.ok) return;
  const likers = await answer.json();
  detail.querySelector('[data-likers]').replaceChildren(...likers.map(likerRow));
  detail.querySelector('[data-no-likers]').hidden = likers.length > 0;
}

async function refresh() {
  const ids = posts.map((post) => post.dataset.post).join(',');
  const answer = await window.fetch(`/live/counts?ids=${ids}`);
  if (!answer.ok) return;
  const { posts: counts, newest } = await answer.json();
  for (const post of posts) {
    const found = counts[post.dataset.post];
    if (found) showCounts(post, found);
  }
  if (feed && newest && newest !== feed.dataset.newest) feed.querySelector('.fresh').hidden = false;
  if (detail) await refreshLikers();
  for (const time of document.querySelectorAll('time')) {
    time.textContent = ageText(Date.now() - Date.parse(time.dateTime));
  }
}

async function tick() {
  // A sandbox that is restarted answers again later; the page then goes on by itself.
  if (!document.hidden) await refresh().catch(() => undefined);
  window.setTimeout(() => void tick(), EVERY_MS);
}
if (posts.length > 0) window.setTimeout(() => void tick(), EVERY_MS);

for (const image of document.querySelectorAll('.grid video')) {
  image.addEventListener('mouseenter', () => image.play().catch(() => undefined));
  image.addEventListener('mouseleave', () => image.pause());
}

const input = document.querySelector('input[type=file]');
input?.addEventListener('change', () => {
  const box = document.querySelector('.preview');
  const file = input.files?.[0];
  box.hidden = !file;
  if (!file) return;
  const shown = document.createElement(file.type.startsWith('video/') ? 'video' : 'img');
  shown.src = URL.createObjectURL(file);
  if (shown instanceof HTMLVideoElement) shown.controls = true;
  else shown.alt = 'The chosen picture';
  box.replaceChildren(shown);
});

for (const form of document.querySelectorAll('form[enctype]')) {
  form.addEventListener('submit', () => {
    const button = form.querySelector('button');
    button.disabled = true;
    button.textContent = 'Sharing…';
  });
}
window.addEventListener('pageshow', (event) => {
  if (event.persisted) window.location.reload();
});
