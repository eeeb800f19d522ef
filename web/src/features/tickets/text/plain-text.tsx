import styles from './rich-text.module.css'

/** Paragraphs and lines, and nothing else. */
export function PlainText({ text }: { text: string }) {
  const paragraphs = text.trim().split(/\n(?:[ \t]*\n)+/)
  return (
    <div className={styles.text}>
      {paragraphs.map((paragraph, index) => (
        <p key={index} className={styles.plain}>
          {paragraph}
        </p>
      ))}
    </div>
  )
}
