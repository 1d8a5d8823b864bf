/** Whether a host name or address, as in a URL or alone, reaches no further than this machine. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\]|::1)$/i.test(host);
}
