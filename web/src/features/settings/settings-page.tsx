import type { User } from '#shared/contract/people/user.ts';
import { Link } from 'react-router-dom';
import { ContactForm } from '#web/customer/contact-form.tsx';
import { CustomerPage } from '#web/customer/page/customer-page.tsx';
import { PageParts } from '#web/ui/page/page-parts.tsx';
import { useClientState, useServices } from '#web/platform/services.ts';
import { Devices } from './devices.tsx';
import { Notifications } from './notifications.tsx';
import { OwnData } from './own-data.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { Section } from './section.tsx';
import { SECTIONS } from './sections.ts';
import { ThisDevice } from './this-device.tsx';
import { ThisApp } from './this-app.tsx';
import { useMantineColorScheme } from '@mantine/core';
import { DensityChoice } from '#web/customer/density-choice.tsx';
import styles from './section.module.css';

const SCHEMES = [
  ['auto', 'Same as system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;

/** What a customer may change about themselves and this browser (S§2, D2, D3). */
export function SettingsPage() {
  const user = useClientState((state) => state.user);
  return (
    <CustomerPage title="Account settings">
      {user ? <Sections user={user} /> : <p aria-live="polite">Loading your account…</p>}
    </CustomerPage>
  );
}

function Sections({ user }: { user: User }) {
  const { api, paths, platform } = useServices();
  const { people = 1 } = user.membership ?? {};
  return (
    <PageParts parts={Object.entries(SECTIONS)}>
      <ProfileForm user={user} />
      <PasswordForm user={user} />
      <Appearance />
      <ThisApp />
      <Notifications />
      <Devices />
      <ThisDevice />
      <Section part="team">
        <p>
          {people > 1
            ? `${people} people work in this workspace.`
            : 'You can invite people to work in your workspace.'}{' '}
          <Link to={paths.team}>Open your team</Link>
        </p>
      </Section>
      <OwnData user={user} />
      <Section part="support">
        <ContactForm
          api={api}
          newId={platform.newId}
          known={{ name: user.name, email: user.email }}
        />
      </Section>
    </PageParts>
  );
}

/** Colors and density, for this browser only. */
function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Section part="appearance">
      <fieldset className={styles['choices']}>
        <legend className="text-1 font-550">Colors</legend>
        {SCHEMES.map(([scheme, label]) => (
          <label key={scheme}>
            <input
              type="radio"
              name="scheme"
              checked={colorScheme === scheme}
              onChange={() => setColorScheme(scheme)}
            />
            {label}
          </label>
        ))}
      </fieldset>
      <DensityChoice legend="Table density" className={styles['choices']} />
    </Section>
  );
}
