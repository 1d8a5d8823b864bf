import type { User } from '#shared/contract/user.ts';
import { ContactForm } from '#web/components/contact-form.tsx';
import { CustomerPage } from '#web/components/customer-page.tsx';
import { PageParts } from '#web/components/page-parts.tsx';
import { useClientState, useServices } from '#web/platform/services.ts';
import { Appearance } from './appearance.tsx';
import { Devices } from './devices.tsx';
import { Notifications } from './notifications.tsx';
import { OwnData } from './own-data.tsx';
import { PasswordForm } from './password-form.tsx';
import { ProfileForm } from './profile-form.tsx';
import { Section } from './section.tsx';
import { SECTIONS } from './sections.ts';
import { ThisDevice } from './this-device.tsx';
import { ThisApp } from './this-app.tsx';

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
  const { api, platform } = useServices();
  return (
    <PageParts parts={Object.entries(SECTIONS)}>
      <ProfileForm user={user} />
      <PasswordForm user={user} />
      <Appearance />
      <ThisApp />
      <Notifications />
      <Devices />
      <ThisDevice />
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
