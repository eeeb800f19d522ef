import { memo } from 'react'
import { Avatar } from '../../../components/avatar/avatar.tsx'
import { BlockedMark } from '../../../components/blocked-mark/blocked-mark.tsx'
import { LabelChip } from '../../../components/label-chip/label-chip.tsx'
import { Unseen } from '../../../components/unseen/unseen.tsx'
import { useIsSelected } from '../selection/selection.ts'
import styles from './board-card.module.css'
import type { Card } from './board-data.ts'
import { cardHeight } from './board-layout.ts'

interface BoardCardProps {
  idProject: number
  card: Card
  /** Of the column and the ticket: a person's ticket may stand in several columns. */
  cardKey: string
  /** In pixels within the cell. */
  top: number
  /** From 1. */
  position: number
  count: number
  /** It has the tab stop of the board. */
  isCurrent: boolean
  /** Somebody carries it. */
  isLifted: boolean
  isPending: boolean
  keysId: string
}

const people = 3

/** A ticket on the board: a link, as clicks, keys and drags are the board's. */
export const BoardCard = memo(function BoardCard(props: BoardCardProps) {
  const { idProject, card, cardKey, top, position, count, isCurrent, isLifted, isPending, keysId } = props
  const isSelected = useIsSelected(idProject, card.id)
  const assignees = (card.Values?.Assignees ?? []) as { idUser: number; Name: string }[]
  const names = [...new Map(assignees.map(({ idUser, Name }) => [idUser, Name])).values()]
  return (
    <li className={styles.item} style={{ translate: `0 ${top}px`, height: cardHeight }} aria-posinset={position} aria-setsize={count}>
      <a
        href={`/view-ticket/${card.id}`}
        className={styles.card}
        data-card={cardKey}
        data-lifted={isLifted || undefined}
        data-pending={isPending || undefined}
        data-selected={isSelected || undefined}
        tabIndex={isCurrent ? 0 : -1}
        aria-describedby={keysId}
        draggable={false}
      >
        <span className={styles.line}>
          <span className={styles.key}>
            {card.pcode}-{card.id}
          </span>
          <span className={styles.type}>{card.Type}</span>
          {card.Blocked === 1 && card.Phase !== 3 && <BlockedMark />}
          {isSelected && <Unseen>Selected</Unseen>}
        </span>
        <span className={styles.title} title={card.Title}>
          {card.Title}
        </span>
        <span className={styles.line}>
          <span className={styles.labels}>
            {card.Labels.map(({ idLabel, Label, Color }) => (
              <LabelChip key={idLabel} name={Label} color={Color} />
            ))}
          </span>
          {names.length > 0 && (
            <span className={styles.people} title={names.join(', ')}>
              {names.slice(0, people).map(name => (
                <Avatar key={name} name={name} />
              ))}
              {names.length > people && <span aria-hidden>+{names.length - people}</span>}
              <Unseen>{names.join(', ')}</Unseen>
            </span>
          )}
        </span>
      </a>
    </li>
  )
})
