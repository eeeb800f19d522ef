import { isMac } from './is-mac.ts'
import styles from './keys.module.css'

function shown(keys: string) {
  return keys.replace('Ctrl+', isMac ? '⌘' : 'Ctrl+').split(' ')
}

/** The keys of an action, as they are printed on the keyboard. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {shown(keys).map((key, position) => (
        <kbd key={position}>{key}</kbd>
      ))}
    </span>
  )
}
