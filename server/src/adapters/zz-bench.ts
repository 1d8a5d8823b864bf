import { createServer } from 'node:http';
import { request, Pool } from 'undici';
import * as v from 'valibot';
import { createGraphClient } from './graph/graph-client.ts';
import { readPage } from './graph/graph-answer.ts';
const post = (i: number) => ({ id: `1785884326921${i + 1000}`, caption: 'Morning light over the bay, and a flat white. '.repeat(4), media_type: 'IMAGE', media_product_type: 'FEED', media_url: `https://cdn.example/${i}.jpg?oh=ab&oe=6A2F0C11&_nc=${'x'.repeat(200)}`, permalink: 'https://www.instagram.com/p/CSr71Gzlqo4/', timestamp: '2026-11-20T19:00:42+0000', like_count: 87 + i, comments_count: 11 });
const body = JSON.stringify({ business_discovery: { id: '17841401441775531', username: 'bluebottle', name: 'x', followers_count: 3, media_count: 12, profile_picture_url: 'https://cdn.example/p.jpg', media: { data: Array.from({ length: 12 }, (_, i) => post(i)), paging: { cursors: { after: 'QVFI' } } } }, id: '17841405309211844' });
const S = v.object({ business_discovery: v.object({ id: v.pipe(v.string(), v.regex(/^\d+$/)), username: v.string(), name: v.optional(v.string()), followers_count: v.optional(v.number()), media_count: v.optional(v.number()), profile_picture_url: v.optional(v.string()), media: v.optional(v.object({ data: v.array(v.object({ id: v.pipe(v.string(), v.regex(/^\d+$/)), caption: v.optional(v.string()), media_type: v.string(), media_url: v.optional(v.string()), permalink: v.optional(v.string()), timestamp: v.pipe(v.string(), v.transform((t) => Date.parse(t))), like_count: v.optional(v.number()), comments_count: v.optional(v.number()) })), paging: v.optional(v.object({ cursors: v.optional(v.object({ after: v.optional(v.string()) })) })) })) }) });
const parsed = JSON.parse(body);
const time = (name: string, f: () => void) => { for (let i = 0; i < 20000; i++) f(); const s = process.hrtime.bigint(); for (let i = 0; i < 20000; i++) f(); console.log(name, Number(process.hrtime.bigint() - s) / 20000 / 1000, 'us'); };
time('hand', () => readPage(parsed)); time('valibot', () => v.parse(S, parsed)); time('JSON.parse', () => JSON.parse(body));
console.log('bytes', body.length);
const url = process.argv[2]!;
const g = createGraphClient({ graphUrl: url, tokens: [{ igUserId: '17841400000000001', token: 'sandbox-token' }], now: Date.now });
const pool = new Pool(new URL(url).origin, { connections: 128 });
const path = `${new URL(url).pathname}/v26.0/17841400000000001?fields=${encodeURIComponent('business_discovery.username(a){id,username,media.limit(12){id}}')}`;
const run = async (name: string, n: number, f: () => Promise<unknown>) => { const c = process.cpuUsage(); const s = performance.now(); let left = n; await Promise.all(Array.from({ length: 32 }, async () => { while (left-- > 0) await f(); })); const e = process.cpuUsage(c); console.log(name, Math.round(n / (performance.now() - s) * 1000), '/s', 'cpu us/call', Math.round((e.user + e.system) / n)); };
for (let k = 0; k < 3; k++) {
  await run('client', 6000, () => g.readAccount({ bucketId: '17841400000000001', username: 'a', limit: 12 }));
  await run('request()+parse', 6000, async () => { const r = await pool.request({ method: 'GET', path, headers: { authorization: 'Bearer x' } }); const t = await r.body.text(); return readPage(JSON.parse(t)); });
  await run('request()', 6000, async () => { const r = await pool.request({ method: 'GET', path }); await r.body.text(); });
}
console.log(await g.readAccount({ bucketId: '17841400000000001', username: 'a', limit: 12 }).then((o) => o.kind));
await g.close(); await pool.close();
void createServer; void request;
