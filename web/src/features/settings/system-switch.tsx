import { useEffect, useState } from 'react';
import type { PlatformSwitch } from '#shared/platform.ts';
import { useServices } from '#web/platform/services.ts';
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
