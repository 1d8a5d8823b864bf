import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import type { CardEntry } from '#shared/contract/about.ts';
import { PAYING_PAGES, SCRIPT_LIST } from '#shared/domain/page-paths.ts';
import { parseJson } from '#server/adapters/http/json-body.ts';
import { probe, type ProbeAnswer } from '#server/adapters/http/probe.ts';
import { protectingHeaders } from '#server/kit/http/security-headers.ts';
import { fails, ok, unsure, type Verdict } from './verdict.ts';

const ScriptList = v.array(v.object({ path: v.string(), integrity: v.string() }));
export type ScriptList = v.InferOutput<typeof ScriptList>;

interface Product {
  publicUrl: string;
  cardEntry: CardEntry;
  builtScripts: ScriptList | undefined;
}

/** The list of a web build, when there is one in the folder. */
export async function readScriptList(directory: string): Promise<ScriptList | undefined> {
  const text = await readFile(join(directory, SCRIPT_LIST), 'utf8').catch(() => '');
  return listOf(text);
}

function listOf(text: string): ScriptList | undefined {
  const list = v.safeParse(ScriptList, parseJson(text));
  return list.success && list.output.length > 0 ? list.output : undefined;
}

/** What customers get of each paying page and of each script, beside what the product and its build send. */
export async function checkPayingPages(
  product: Product,
): Promise<{ headers: Verdict[]; scripts: Verdict[] }> {
  const headers: Verdict[] = [];
  const scripts: Verdict[] = [];
  for (const path of PAYING_PAGES) {
    const page = await probe(product.publicUrl + path, { headers: { accept: 'text/html' } });
    headers.push(checkHeaders(path, page, product));
    if (page.kind === 'answered' && product.builtScripts) {
      scripts.push(...checkTags(path, page.text, product.builtScripts));
    }
  }
  return { headers, scripts: [...scripts, ...(await checkScripts(product))] };
}

function checkHeaders(path: string, page: ProbeAnswer, product: Product): Verdict {
  if (page.kind === 'failed') return fails(`${path} doesn’t answer (${page.reason})`);
  if (page.status !== 200) return fails(`${path} answers ${page.status}`);
  const sent = [...protectingHeaders(product, path), ['cache-control', 'no-cache'] as const];
  const wrong = sent.filter(([name, value]) => page.headers.get(name) !== value);
  if (wrong.length === 0) return ok(`${path}: all ${sent.length} are the product’s`);
  const told = wrong.map(
    ([name, value]) => `${name} is ${page.headers.get(name) ?? 'missing'}, not ${value}`,
  );
  return fails(
    `${path}: ${told.join('; ')}. Let what stands between the product and its customers pass headers unchanged`,
  );
}

/** Every script that a page's own text names or holds. */
function checkTags(path: string, html: string, built: ScriptList): Verdict[] {
  const known = new Set(built.map((script) => script.path));
  return Array.from(html.matchAll(/<script\b([^>]*)>/gi), ([, attributes = '']) => {
    const [, source] = /\bsrc\s*=\s*["']?([^"'\s>]+)/i.exec(attributes) ?? [];
    if (source !== undefined && known.has(source)) return [];
    const named = source === undefined ? 'a script of its own' : `the script ${source}`;
    return [
      fails(`${path} holds ${named}, which the build hasn’t listed: find out who put it there`),
    ];
  }).flat();
}

/** As many are asked for at once as a browser would. */
const CONCURRENCY = 6;

async function checkScripts({ publicUrl, builtScripts }: Product): Promise<Verdict[]> {
  const answer = await probe(`${publicUrl}/${SCRIPT_LIST}`);
  const served = answer.kind === 'answered' ? listOf(answer.text) : undefined;
  if (!served)
    return [fails(`${publicUrl}/${SCRIPT_LIST} isn’t a list of scripts: serve the build as it is`)];
  const wrong: string[] = [];
  const expected = builtScripts ?? served;
  for (let from = 0; from < expected.length; from += CONCURRENCY) {
    const some = expected.slice(from, from + CONCURRENCY);
    const answers = await Promise.all(some.map(({ path }) => probe(publicUrl + path)));
    const differing = some.filter(({ integrity }, at) => integrityOf(answers[at]) !== integrity);
    wrong.push(...differing.map(({ path }) => path));
  }
  if (wrong.length > 0) {
    return wrong.map((path) =>
      fails(
        `${path} isn’t what the build has made: find out who changed it, then deploy the build again`,
      ),
    );
  }
  if (!builtScripts) {
    return [
      unsure(
        `all ${served.length} are as the product’s own list says. There is no build here to compare it with: run “npm run build” of the same release`,
      ),
    ];
  }
  return isSame(served, builtScripts)
    ? [ok(`all ${served.length} are, byte for byte, those of the build here`)]
    : [
        fails(
          `${publicUrl}/${SCRIPT_LIST} isn’t the list of the build here: deploy the same release`,
        ),
      ];
}

function integrityOf(answer: ProbeAnswer | undefined): string | undefined {
  if (answer?.kind !== 'answered' || answer.status !== 200) return undefined;
  return `sha384-${createHash('sha384').update(answer.text).digest('base64')}`;
}

const isSame = (one: ScriptList, other: ScriptList): boolean => {
  const told = (list: ScriptList): string =>
    list
      .map(({ path, integrity }) => `${path} ${integrity}`)
      .toSorted()
      .join('\n');
  return told(one) === told(other);
};
