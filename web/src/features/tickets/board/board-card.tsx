import { memo } from 'react'
import { Avatars } from '../../../components/avatar/avatars.tsx'
import { LabelChip } from '../../../components/label-chip/label-chip.tsx'
import { BlockedMark, TrashedMark } from '../../../components/ticket-mark/ticket-mark.tsx'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import { classNames } from '../../../lib/display/class-names.ts'
import { useIsSelected } from '../selection/selection.ts'
import styles from './board-card.module.css'
import { sizes } from './board-layout.ts'
import type { Card } from './data/board-data.ts'

interface BoardCardProps {
  idProject: number
  card: Card
  /** Identifies column, lane and ticket: a ticket may be in several columns or lanes. */
  cardKey: string
  /** In pixels within the cell. */
  top: number
  /** From 1. */
  position: number
  count: number
  /** It has the tab stop of the board. */
  isCurrent: boolean
  /** It is being carried. */
  isLifted: boolean
  isPending: boolean
  /** Nothing on the board can be moved. */
  isFixed: boolean
  keysId: string
}

const avatars = 3

/** A ticket on the board: a link, and a button for its menu. The board handles clicks, keys and drags. */
export const BoardCard = memo(function BoardCard(props: BoardCardProps) {
  const { idProject, card, cardKey, top, position, count, isCurrent, isLifted, isPending, isFixed, keysId } = props
  const isSelected = useIsSelected(idProject, card.id)
  const assignees = (card.Values?.Assignees ?? []) as { idUser: number; Name: string }[]
  const names = [...new Map(assignees.map(({ idUser, Name }) => [idUser, Name])).values()]
  return (
    <li className={styles.item} style={{ translate: `0 ${top}px`, height: sizes.card }} aria-posinset={position} aria-setsize={count}>
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
          {card.Trashed && <TrashedMark />}
          {isSelected && <VisuallyHidden>Selected</VisuallyHidden>}
        </span>
        <span className={styles.title} title={card.Title}>
          {card.Title}
        </span>
        <span className={styles.line}>
          <span className={classNames(styles.labels, 'board-labels')} data-many={card.Labels.length > 3 || undefined}>
            {card.Labels.map(({ idLabel, Label, Color }) => (
              <LabelChip key={idLabel} name={Label} color={Color} />
            ))}
          </span>
          {names.length > 0 && (
            <span className={styles.people} title={names.join(', ')}>
              <Avatars names={names} most={avatars} />
            </span>
          )}
        </span>
      </a>
      {!isFixed && (
        <button
          type="button"
          // By keyboard, Space lifts the card.
          tabIndex={-1}
          aria-label={`Move ${card.pcode}-${card.id}`}
          aria-haspopup="menu"
          data-move={cardKey}
          className={styles.mover}
        />
      )}
    </li>
  )
})
