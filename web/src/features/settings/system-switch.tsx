import { useEffect, useState } from 'react';
import type { PlatformSwitch } from '#shared/platform.ts';
import { useServices } from '#web/platform/services.ts';
import { useNewest } from '#web/platform/use-newest.ts';
import { RefusedChoice } from './refused-choice.ts';
import { SwitchBox } from './switch-box.tsx';

interface SystemSwitchProps {
  choice: PlatformSwitch;
  /** Names the group. */
  legend: string;
  label: string;
  /** Said when whoever decides did not allow it. */
  refusal: string;
}

/** A choice that the system or the browser keeps: it shows what is then set, and not what was asked for. */
export function SystemSwitch({ choice, legend, label, refusal }: SystemSwitchProps) {
  const { platform } = useServices();
  const newest = useNewest();
  const [isOn, setIsOn] = useState<boolean>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    const read = async (): Promise<void> => {
      const isNewest = newest();
      try {
        const isSet = await choice.read();
        if (isNewest()) setIsOn(isSet);
      } catch (error) {
        platform.report('A choice of the system is unknown', error);
      }
    };
    void read();
  }, [choice, newest, platform]);

  const set = async (wanted: boolean): Promise<void> => {
    const isNewest = newest();
    setProblem(undefined);
    try {
      const isSet = await choice.set(wanted);
      if (isNewest()) setIsOn(isSet);
      if (isSet !== wanted) setProblem(refusal);
    } catch (error) {
      if (error instanceof RefusedChoice) return setProblem(error.message);
      platform.report('A choice of the system could not be set', error);
      setProblem('We couldn’t save this. Nothing was changed.');
    }
  };
  return (
    <SwitchBox
      isOn={isOn}
      legend={legend}
      label={label}
      problem={problem}
      set={(wanted) => void set(wanted)}
    />
  );
}
