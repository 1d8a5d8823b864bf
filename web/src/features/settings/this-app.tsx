import { PRODUCT_NAME } from '#shared/domain/product.ts';
import { useServices } from '#web/platform/services.ts';
import { AppSupport } from './app-support.tsx';
import { Section } from './section.tsx';
import { SystemSwitch } from './system-switch.tsx';

/** What only an app on a desktop has to be told. */
export function ThisApp() {
  const { startAtLogin, keepRunning, support } = useServices().platform;
  if (!(startAtLogin ?? keepRunning ?? support)) return null;
  return (
    <Section part="app">
      {startAtLogin && (
        <SystemSwitch
          choice={startAtLogin}
          legend="Starting the app"
          label={`Start ${PRODUCT_NAME} when you log in to this computer`}
          refusal="Your system didn’t allow this."
        />
      )}
      {keepRunning && (
        <SystemSwitch
          choice={keepRunning}
          legend="Closing the window"
          label={`Keep ${PRODUCT_NAME} running when its window is closed`}
          refusal="This couldn’t be saved on this computer."
        />
      )}
      {support && <AppSupport support={support} />}
    </Section>
  );
}
