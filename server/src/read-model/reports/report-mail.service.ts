import type { CallData, CallParsed } from '#shared/contract/call.ts';
import type {
  findReportMail as findReportMailCall,
  saveReportBrand as saveReportBrandCall,
  saveReportMail as saveReportMailCall,
} from '#shared/contract/accounts/report.ts';
import type { ClientReport } from '#shared/domain/accounts/client-report.ts';
import { DAY_MS, HOUR_MS } from '#shared/domain/durations.ts';
import type { WorkspaceId } from '#shared/domain/ids.ts';
import { reportMonthOf, monthsOn, monthStartMs } from '#shared/domain/accounts/report-month.ts';
import { appendAudit } from '#server/audit/audit.repository.ts';
import { limit, LIMITS } from '#server/identity/limits/rate-limit.ts';
import { getMemberWhoMay } from '#server/identity/members/members.service.ts';
import { listMembers } from '#server/identity/members/membership.repository.ts';
import type { Session } from '#server/identity/sessions/session.service.ts';
import { lockWorkspace } from '#server/identity/users/workspace-lock.repository.ts';
import { ApiError } from '#server/kit/api-error.ts';
import type { Db } from '#server/kit/db/database.ts';
import type { Deps } from '#server/kit/deps.ts';
import { findBudgetZone } from '#server/money/budgets/budget.repository.ts';
import { getClient } from '#server/network/clients/clients.service.ts';
import { listReportAddresses } from './report-address.repository.ts';
import { checkAddresses, keepAddresses } from './report-address.service.ts';
import {
  deleteBrand,
  deleteReportMail,
  findBrand,
  findLastSent,
  findReportMail,
  putBrand,
  putReportMail,
} from './report-mail.repository.ts';
import sharp from 'sharp';

/** What may be uploaded, bytes. */
export const LOGO_BYTES_MAX = 45 * 1024;
/** Less than what takes long to unpack. */
const PIXELS_MAX = 4_000_000;
const FORMATS: ReadonlySet<string | undefined> = new Set(['png', 'jpeg']);
const SIZE = { width: 480, height: 160 };

type MailDeps = Pick<Deps, 'clock' | 'database' | 'ids' | 'random' | 'settings'>;

/** When a month's report is mailed: on the 2nd at 8, so that posts of its last day have their likes. */
export const dueAtOf = (month: string, timeZone: string): number =>
  monthStartMs(monthsOn(month, 1), timeZone) + DAY_MS + 8 * HOUR_MS;

/** How the workspace calls itself on its reports; null: not at all. */
export async function viewBrand(db: Db, workspaceId: WorkspaceId): Promise<ClientReport['agency']> {
  const brand = await findBrand(db, workspaceId);
  if (!brand) return null;
  return {
    name: brand.name,
    logo: brand.logo && Buffer.from(brand.logo).toString('base64'),
  };
}

/** @throws ApiError `not_found` */
export async function viewReportMail(
  { database: { db } }: Pick<MailDeps, 'database'>,
  { workspaceId }: Session,
  clientId: string | null,
): Promise<CallData<typeof findReportMailCall>> {
  await checkClient(db, workspaceId, clientId);
  const key = { workspaceId, id: clientId ?? workspaceId };
  const [mail, known, members, lastSent, brand] = await Promise.all([
    findReportMail(db, key),
    listReportAddresses(db, workspaceId),
    listMembers(db, workspaceId),
    findLastSent(db, key),
    viewBrand(db, workspaceId),
  ]);
  const own = known.filter(({ email }) => mail?.addresses.includes(email));
  return {
    brand,
    addresses: own.map(({ email }) => email),
    waiting: own.filter(({ confirmed_at }) => confirmed_at === null).map(({ email }) => email),
    members: members.map(({ id, user_id, name, email }) => ({
      id,
      name,
      email,
      isChosen: mail?.user_ids.includes(user_id) ?? false,
    })),
    next: mail ? { month: mail.month, at: mail.due_at.toISOString() } : null,
    lastSent: lastSent ?? null,
  };
}

async function checkClient(db: Db, workspaceId: WorkspaceId, clientId: string | null) {
  if (clientId !== null) await getClient(db, workspaceId, clientId);
}

/** Nobody chosen: no more mails. @throws ApiError `not_allowed`, `not_found`, `invalid_input`, `rate_limited` */
export async function saveReportMail(
  deps: MailDeps,
  session: Session,
  { clientId, addresses: typed, memberIds }: CallParsed<typeof saveReportMailCall>,
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  await limit(deps, { ...LIMITS.reportMail, key: workspaceId });
  const chosen = await checkAddresses(deps, workspaceId, typed);
  await deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await getMemberWhoMay(tx, session, 'clients');
    await checkClient(tx, workspaceId, clientId);
    const members = await listMembers(tx, workspaceId);
    const user_ids = members.filter(({ id }) => memberIds.includes(id)).map((row) => row.user_id);
    const id = clientId ?? workspaceId;
    const nowMs = deps.clock.now();
    const addresses = [...chosen.wanted];
    if (user_ids.length + addresses.length === 0) {
      await deleteReportMail(tx, { workspaceId, id });
    } else {
      const timeZone = await findBudgetZone(tx, workspaceId);
      const month = reportMonthOf(nowMs, timeZone);
      const due_at = new Date(dueAtOf(month, timeZone));
      const key = { workspace_id: workspaceId, id, client_id: clientId };
      await putReportMail(tx, { ...key, addresses, user_ids, month, due_at });
    }
    const now = new Date(nowMs);
    await keepAddresses(tx, deps, { workspaceId, actor, now }, chosen);
    await appendAudit(tx, { workspaceId, actor, action: 'report_mail_changed', subject: id, now });
  });
}

/** An empty name takes both away. @throws ApiError `not_allowed`, `invalid_input`, `rate_limited` */
export async function saveReportBrand(
  deps: MailDeps,
  session: Session,
  { clientId, name, logo }: CallParsed<typeof saveReportBrandCall>,
): Promise<void> {
  const { workspaceId, userId: actor } = session;
  await limit(deps, { ...LIMITS.reportMail, key: workspaceId });
  const made = typeof logo === 'string' ? await makeLogo(logo) : logo;
  if (typeof logo === 'string' && made === undefined) {
    const message = 'Please choose a PNG or JPEG of at most 45 KB.';
    throw new ApiError('invalid_input', message, { fields: { logo: message } });
  }
  await deps.database.transaction(async (tx) => {
    await lockWorkspace(tx, workspaceId);
    await getMemberWhoMay(tx, session, 'clients');
    await checkClient(tx, workspaceId, clientId);
    const now = new Date(deps.clock.now());
    if (name === '') await deleteBrand(tx, workspaceId);
    else await putBrand(tx, { workspaceId, name, logo: made, now });
    await appendAudit(tx, { workspaceId, actor, action: 'report_brand_changed', now });
  });
}

/** A PNG of our own making of an uploaded PNG or JPEG, on white; undefined when it is none, or too large. */
async function makeLogo(base64: string): Promise<Buffer | undefined> {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > LOGO_BYTES_MAX) return undefined;
  try {
    const picture = sharp(bytes, { limitInputPixels: PIXELS_MAX, failOn: 'error' });
    const { format } = await picture.metadata();
    if (!FORMATS.has(format)) return undefined;
    return await picture
      .autoOrient()
      .resize({ ...SIZE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#ffffff' })
      .toColorspace('srgb')
      .png({ palette: false })
      .toBuffer();
  } catch {
    // sharp has no error types: whatever it says, these bytes don't make a picture.
    return undefined;
  }
}
