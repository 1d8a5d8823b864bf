import { FormProblem } from '#web/ui/forms/form-problem.tsx';
import styles from './section.module.css';

interface SwitchBoxProps {
  /** Undefined until it is known. */
  isOn: boolean | undefined;
  /** Names the group. */
  legend: string;
  label: string;
  problem: string | undefined;
  set: (wanted: boolean) => void;
}

/** A switch with what went wrong with it. */
export function SwitchBox({ isOn, legend, label, problem, set }: SwitchBoxProps) {
  return (
    <>
      <FormProblem sentence={problem} />
      <fieldset className={styles['choices']}>
        <legend className="visually-hidden text-1 font-550">{legend}</legend>
        <label>
          <input
            type="checkbox"
            role="switch"
            aria-checked={isOn ?? false}
            checked={isOn ?? false}
            disabled={isOn === undefined}
            onChange={(event) => set(event.currentTarget.checked)}
          />
          {label}
        </label>
      </fieldset>
    </>
  );
}
