import { ShortcutKeys } from '#web/ui/menu/shortcut-keys.tsx';
import styles from './shortcut-list.module.css';
import { SHORTCUT_IDS, SHORTCUTS } from './shortcuts.ts';

const GROUPS = [...new Set(SHORTCUT_IDS.map((id) => SHORTCUTS[id].group))];

/** Every shortcut with its keys. */
export function ShortcutList() {
  return (
    <div className={`tables ${styles['groups']}`}>
      {GROUPS.map((group) => (
        <table key={group}>
          <caption>{group}</caption>
          <tbody>
            {SHORTCUT_IDS.filter((id) => SHORTCUTS[id].group === group).map((id) => (
              <tr key={id}>
                <th scope="row">{SHORTCUTS[id].does}</th>
                <td>
                  <ShortcutKeys keys={SHORTCUTS[id].keys} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </div>
  );
}
