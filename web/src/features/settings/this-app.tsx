import { useEffect, useState } from 'react';
import { PRODUCT_NAME } from '#shared/domain/product.ts';
import type { StartAtLogin } from '#shared/platform.ts';
import { FormProblem } from '#web/components/form-problem.tsx';
import { useServices } from '#web/platform/services.ts';
import styles from './section.module.css';
import { Section } from './section.tsx';

/** What only an app on a desktop has to be told; nothing in a browser. */
export function ThisApp() {
  const { startAtLogin } = useServices().platform;
  if (!startAtLogin) return null;
  return (
    <Section title="This app">
      <StartSwitch startAtLogin={startAtLogin} />
    </Section>
  );
}

function StartSwitch({ startAtLogin }: { startAtLogin: StartAtLogin }) {
  const { platform } = useServices();
  const [isOn, setIsOn] = useState<boolean>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isLeft = false;
    const read = async (): Promise<void> => {
      try {
        const isSet = await startAtLogin.read();
        if (!isLeft) setIsOn(isSet);
      } catch (error) {
        platform.report('Whether the app starts at log-in is unknown', error);
      }
    };
    void read();
    return () => {
      isLeft = true;
    };
  }, [startAtLogin, platform]);

  const set = async (wanted: boolean): Promise<void> => {
    setProblem(undefined);
    try {
      const isSet = await startAtLogin.set(wanted);
      setIsOn(isSet);
      if (isSet !== wanted) setProblem('The system did not allow this.');
    } catch (error) {
      platform.report('Starting at log-in could not be set', error);
      setProblem('This could not be saved. Nothing was changed.');
    }
  };
  return (
    <>
      <FormProblem sentence={problem} />
      <fieldset className={styles['choices']}>
        <legend className="visually-hidden">Start of the app</legend>
        <label>
          <input
            type="checkbox"
            role="switch"
            aria-checked={isOn ?? false}
            checked={isOn ?? false}
            disabled={isOn === undefined}
            onChange={(event) => void set(event.currentTarget.checked)}
          />
          Start {PRODUCT_NAME} when you log in to this computer
        </label>
      </fieldset>
    </>
  );
}
