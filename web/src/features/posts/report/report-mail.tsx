import { Button, Checkbox, FileInput, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import type { Call, CallInput } from '#shared/contract/call.ts';
import {
  findReportMail,
  type ReportMail,
  saveReportBrand,
  saveReportMail,
} from '#shared/contract/accounts/report.ts';
import { monthInWords } from '#shared/domain/accounts/report-month.ts';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { INVITATION_HOURS } from '#shared/domain/people/team.ts';
import { NO_ANSWER, problemOf, unansweredSentence } from '#web/api/unreachable.ts';
import { useCustomer } from '#web/customer/customer.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import { toastSuccess } from '#web/ui/toasts/toast.ts';
import { shortTime } from '#web/ui/words/dates.ts';
import styles from './report.module.css';

/** As large as it is printed; the server makes its own picture of it. */
const SIZE = { width: 480, height: 160 };

/** A call that answers with the mails as they are then. */
type MailCall = Call & { data: typeof findReportMail.data };
type Refusal = { message: string; fields: Readonly<Record<string, string>> };

interface Used {
  clientId: string | null;
  isSending: boolean;
  send: <C extends MailCall>(call: C, input: CallInput<C>) => Promise<Refusal | undefined>;
}

/** Who gets the report each month, and whose name stands on it. */
export function ReportMailing({
  clientId,
  afterBrand,
}: {
  clientId: string | null;
  afterBrand: () => void;
}) {
  const { api, platform } = useServices();
  const { userId } = useCustomer();
  const newest = useNewest();
  const [mail, setMail] = useState<ReportMail>();
  const [problem, setProblem] = useState<string>();
  const [isSending, setIsSending] = useState(false);

  useEffect(() => {
    const read = async (): Promise<void> => {
      const isNewest = newest();
      const answer = await api.call(findReportMail, { userId, clientId }, { isUnasked: true });
      if (!isNewest()) return;
      if (answer.kind === 'success') setMail(answer.data);
      else setProblem(problemOf(answer));
    };
    void read();
  }, [api, userId, clientId, newest]);

  const send: Used['send'] = async (call, input) => {
    setIsSending(true);
    const wasOnline = platform.isOnline();
    const isNewest = newest();
    const answer = await api.call(call, input);
    setIsSending(false);
    if (answer.kind === 'success') {
      if (isNewest()) setMail(answer.data);
      if (answer.message) toastSuccess(answer.message);
      return undefined;
    }
    if (answer.kind === 'error') return { message: answer.message, fields: answer.fields };
    return { message: unansweredSentence(answer, { wasOnline, noAnswer: NO_ANSWER }), fields: {} };
  };

  const used = { clientId, isSending, send };
  return (
    <>
      <FormProblem sentence={problem} />
      {mail && <ReadersForm mail={mail} used={used} />}
      {mail && <BrandForm mail={mail} used={used} afterBrand={afterBrand} />}
    </>
  );
}

function ReadersForm({ mail, used }: { mail: ReportMail; used: Used }) {
  const { userId } = useCustomer();
  const { platform } = useServices();
  const [addresses, setAddresses] = useState(mail.addresses.join('\n'));
  const [memberIds, setMemberIds] = useState(() =>
    mail.members.filter(({ isChosen }) => isChosen).map(({ id }) => id),
  );
  const [refusal, setRefusal] = useState<Refusal>();
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const typed = addresses.split(/[\s,;]+/).filter(Boolean);
    const input = { userId, clientId: used.clientId, addresses: typed, memberIds };
    setRefusal(await used.send(saveReportMail, input));
  };
  return (
    <form
      className={styles['form']}
      aria-label="Monthly email"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <h2>Monthly email</h2>
      <p className="c-soft">
        {mail.next
          ? `The report for ${monthInWords(mail.next.month)} goes out on ${shortTime(Date.parse(mail.next.at), platform.timeZone())}.`
          : 'Choose who gets this report as a PDF, on the 2nd of each month.'}
        {mail.lastSent && ` The last one sent was for ${monthInWords(mail.lastSent)}.`}
      </p>
      <FormProblem
        sentence={refusal && !refusal.fields['addresses'] ? refusal.message : undefined}
      />
      {mail.members.map(({ id, name, email }) => (
        <Checkbox
          key={id}
          label={`${name}, ${email}`}
          checked={memberIds.includes(id)}
          onChange={(event) => {
            const isChosen = event.currentTarget.checked;
            setMemberIds((before) => [
              ...before.filter((each) => each !== id),
              ...(isChosen ? [id] : []),
            ]);
          }}
        />
      ))}
      <Textarea
        label="Other email addresses"
        description="One per line, 20 at most."
        name="addresses"
        rows={3}
        value={addresses}
        error={refusal?.fields['addresses']}
        onChange={(event) => setAddresses(event.currentTarget.value)}
      />
      {mail.waiting.length > 0 && (
        <p className="c-soft wrap-anywhere">
          Waiting for confirmation: {mail.waiting.join(', ')}. We’ve emailed a link that works for{' '}
          {INVITATION_HOURS} hours. After that, save again to send another.
        </p>
      )}
      <Button type="submit" loading={used.isSending}>
        Save monthly email
      </Button>
    </form>
  );
}

function BrandForm({
  mail: { brand },
  used,
  afterBrand,
}: {
  mail: ReportMail;
  used: Used;
  afterBrand: () => void;
}) {
  const { userId } = useCustomer();
  const [name, setName] = useState(brand?.name ?? '');
  const [file, setFile] = useState<File | null>(null);
  const [refusal, setRefusal] = useState<Refusal>();
  const save = async (logo?: string | null): Promise<void> => {
    const of = { userId, clientId: used.clientId, name };
    const refused = await used.send(saveReportBrand, {
      ...of,
      ...(logo !== undefined && { logo }),
    });
    setRefusal(refused);
    if (refused) return;
    setFile(null);
    afterBrand();
  };
  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    await save(file ? await logoOf(file) : undefined);
  };
  const said = refusal && !refusal.fields['logo'] && !refusal.fields['name'];
  return (
    <form
      className={styles['form']}
      aria-label="Your name and logo"
      noValidate
      onSubmit={(event) => void submit(event)}
    >
      <h2>Your name and logo</h2>
      <p className="c-soft">
        They appear on all reports in this workspace. Without a name, reports show {PRODUCT_NAME}.
      </p>
      <FormProblem sentence={said ? refusal.message : undefined} />
      <TextInput
        label="Name on reports"
        name="name"
        autoComplete="organization"
        maxLength={60}
        value={name}
        error={refusal?.fields['name']}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FileInput
        label="Logo"
        placeholder="Choose a file"
        description={
          brand?.logo ? 'You have a logo. Choose another file to replace it.' : 'A PNG or JPEG.'
        }
        accept="image/png,image/jpeg"
        clearable
        value={file}
        error={refusal?.fields['logo']}
        onChange={setFile}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" loading={used.isSending}>
          Save name and logo
        </Button>
        {brand?.logo && (
          <Button variant="default" disabled={used.isSending} onClick={() => void save(null)}>
            Remove logo
          </Button>
        )}
      </div>
    </form>
  );
}

/** A chosen picture as base64, scaled down where the browser can read it; otherwise as it is, for the server to judge. */
async function logoOf(file: File): Promise<string> {
  const scaled = await scaleDown(file).catch(() => undefined);
  const bytes = new Uint8Array(await (scaled ?? file).arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

async function scaleDown(file: File): Promise<Blob | undefined> {
  const picture = await createImageBitmap(file);
  const by = Math.min(1, SIZE.width / picture.width, SIZE.height / picture.height);
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(picture.width * by)),
    Math.max(1, Math.round(picture.height * by)),
  );
  canvas.getContext('2d')?.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.convertToBlob({ type: 'image/png' });
}
