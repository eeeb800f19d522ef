import { DarkIcon, LightIcon, SystemIcon } from '../../../components/icons/icons.tsx'
import { SectionCard } from '../../../components/section-card/section-card.tsx'
import { Switch } from '../../../components/switch/switch.tsx'
import { ToggleGroup } from '../../../components/toggle-group/toggle-group.tsx'
import { useColorScheme } from '../../../lib/display/color-scheme.ts'
import { enableShortcuts, useShortcutsEnabled } from '../../../lib/input/keys/shortcuts-enabled.ts'
import styles from './preferences-card.module.css'

const schemes = [
  ['system', 'System', SystemIcon],
  ['light', 'Light', LightIcon],
  ['dark', 'Dark', DarkIcon],
] as const

/** Preferences that this browser stores; none of them is sent to the server. */
export function PreferencesCard() {
  const [mode, setMode] = useColorScheme()
  const hasShortcuts = useShortcutsEnabled()
  return (
    <SectionCard title="This browser" padded>
      <div className={styles.preferences}>
        <div>
          <div aria-hidden className={styles.label}>
            Theme
          </div>
          <ToggleGroup
            label="Theme"
            value={mode}
            options={schemes.map(([value, label, Icon]) => ({ value, label, icon: <Icon fontSize="small" /> }))}
            onChange={setMode}
          />
        </div>
        <div>
          <Switch label="Keyboard shortcuts" checked={hasShortcuts} onChange={enableShortcuts} />
          {hasShortcuts && <p className={styles.help}>Press ? on any page to see what works there.</p>}
        </div>
      </div>
    </SectionCard>
  )
}
