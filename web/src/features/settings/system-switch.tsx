import { useEffect, useState } from 'react';
import type { PlatformSwitch } from '#shared/platform.ts';
import { FormProblem } from '#web/components/form-problem.tsx';
import { useServices } from '#web/platform/services.ts';
import styles from './section.module.css';

interface SystemSwitchProps {
  choice: PlatformSwitch;
  /** Names the group. */
  legend: string;
  label: string;
  /** Said when whoever decides did not allow it. */
  refusal: string;
}

/** A choice that the system or the browser keeps: it shows what is then set, and not what was wished. */
export function SystemSwitch({ choice, legend, label, refusal }: SystemSwitchProps) {
  const { platform } = useServices();
  const [isOn, setIsOn] = useState<boolean>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    let isLeft = false;
    const read = async (): Promise<void> => {
      try {
        const isSet = await choice.read();
        if (!isLeft) setIsOn(isSet);
      } catch (error) {
        platform.report('A choice of the system is unknown', error);
      }
    };
    void read();
    return () => {
      isLeft = true;
    };
  }, [choice, platform]);

  const set = async (wanted: boolean): Promise<void> => {
    setProblem(undefined);
    try {
      const isSet = await choice.set(wanted);
      setIsOn(isSet);
      if (isSet !== wanted) setProblem(refusal);
    } catch (error) {
      platform.report('A choice of the system could not be set', error);
      setProblem('We couldn’t save this. Nothing was changed.');
    }
  };
  return (
    <>
      <FormProblem sentence={problem} />
      <fieldset className={styles['choices']}>
        <legend className="visually-hidden">{legend}</legend>
        <label>
          <input
            type="checkbox"
            role="switch"
            aria-checked={isOn ?? false}
            checked={isOn ?? false}
            disabled={isOn === undefined}
            onChange={(event) => void set(event.currentTarget.checked)}
          />
          {label}
        </label>
      </fieldset>
    </>
  );
}
