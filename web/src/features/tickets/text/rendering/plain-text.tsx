import styles from './rich-text.module.css'
import { elementCost, type Room, useDrawnPart } from './use-drawn-part.ts'

/** Text with paragraphs and line breaks only. */
export function PlainText({ text, firstPart }: { text: string; firstPart?: number | undefined }) {
  const drawn = useDrawnPart(room => paragraphsOf(text, room), firstPart)
  return <div className={styles.text}>{drawn}</div>
}

function paragraphsOf(text: string, room: Room) {
  const drawn = []
  for (const paragraph of text.trim().split(/\n(?:[ \t]*\n)+/)) {
    if (room.left < 0) break
    drawn.push(
      <p key={drawn.length} className={styles.plain}>
        {paragraph.slice(0, room.left)}
      </p>,
    )
    room.left -= paragraph.length + elementCost
  }
  return drawn
}
