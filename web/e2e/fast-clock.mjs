import { readFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import promises from 'node:timers/promises';
import { promisify } from 'node:util';

/**
 * Preloaded into a process (`--import <this file>?<path>`), makes its clocks and timers run as a file says: a line of
 * JSON `{ at, time, factor }` for each change of pace, from the real instant `at` on. What the process starts runs
 * alike. Plain JavaScript, because the Node that npm itself runs on reads it too.
 */
const READ_EVERY_MS = 50;
const path = decodeURIComponent(new URL(import.meta.url).search.slice(1));
const real = {
  now: Date.now,
  performance: performance.now.bind(performance),
  setTimeout: globalThis.setTimeout,
  setInterval: globalThis.setInterval,
};
const refresh = Object.getPrototypeOf(real.setTimeout(() => undefined, 0)).refresh;
/** Timers of ours that may still fire, with when they are due by our clock. */
const waiting = new Map();
let text = '';
let paces = [];

const isOver = (timer) => Reflect.get(timer, '_destroyed');

function pace() {
  const at = real.now();
  return paces.findLast((each) => each.at <= at) ?? { at, time: at, factor: 1 };
}
function now() {
  const { at, time, factor } = pace();
  return time + (real.now() - at) * factor;
}

function read() {
  for (const timer of waiting.keys()) if (isOver(timer)) waiting.delete(timer);
  const found = readFileSync(path, 'utf8');
  if (found === text) return;
  text = found;
  paces = text
    .trim()
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  for (const { at } of paces) {
    if (at > real.now()) armAllAt(at);
  }
  armAll();
}
function armAllAt(at) {
  // Early it would arm all of them by the pace that ends.
  const arm = () => (real.now() < at ? armAllAt(at) : armAll());
  real.setTimeout(arm, Math.ceil(at - real.now())).unref();
}
function armAll() {
  for (const [timer, due] of waiting) if (!isOver(timer)) arm(timer, due);
}
/** A Node timer waits for `_idleTimeout` from the moment it is refreshed. */
function arm(timer, due) {
  waiting.set(timer, due);
  Reflect.set(timer, '_idleTimeout', Math.max(1, (due - now()) / pace().factor));
  return refresh.call(timer);
}

function setTimeout(callback, delay, ...words) {
  const delayMs = Math.max(1, Number(delay) || 1);
  const timer = real.setTimeout(() => {
    // Node knows whole milliseconds and may be early by one, which is many seconds while time runs fast.
    const due = waiting.get(timer);
    if (now() < due) return arm(timer, due);
    waiting.delete(timer);
    callback.apply(timer, words);
  }, delayMs);
  timer.refresh = () => arm(timer, now() + delayMs);
  return timer.refresh();
}
function setInterval(callback, delay, ...words) {
  const timer = setTimeout(() => {
    timer.refresh();
    callback.apply(timer, words);
  }, delay);
  return timer;
}
function sleep(delay, value, { signal, ref = true } = {}) {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      const error = new Error('The operation was aborted', { cause: signal.reason });
      reject(Object.assign(error, { name: 'AbortError', code: 'ABORT_ERR' }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve(value);
    }, delay);
    if (!ref) timer.unref();
    if (signal?.aborted) giveUp();
    else signal?.addEventListener('abort', giveUp, { once: true });
  });
}

read();
const bornAt = now() - real.performance();
Date.now = () => Math.floor(now());
performance.now = () => now() - bornAt;
globalThis.Date = new Proxy(Date, {
  apply: () => new Date().toString(),
  construct: (target, words, made) =>
    Reflect.construct(target, words.length > 0 ? words : [Date.now()], made),
});
setTimeout[promisify.custom] = sleep;
promises.setTimeout = sleep;
Object.assign(timers, { setTimeout, setInterval });
Object.assign(globalThis, { setTimeout, setInterval });
syncBuiltinESMExports();
real.setInterval(read, READ_EVERY_MS).unref();
// A child that gets an environment of its own gets this nevertheless.
if (!process.execArgv.includes(import.meta.url)) process.execArgv.push('--import', import.meta.url);
