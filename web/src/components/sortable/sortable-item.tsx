import { CollisionPriority } from '@dnd-kit/abstract'
import { useDroppable } from '@dnd-kit/react'
import { useSortable } from '@dnd-kit/react/sortable'
import { type ComponentProps, type ReactNode, use, useEffect, useEffectEvent, useState } from 'react'
import { IconButton } from '../icon-button/icon-button.tsx'
import { DragIcon } from '../icons/icons.tsx'
import { Menu } from '../menu/menu.tsx'
import styles from './sortable.module.css'
import { detector, SortableScope } from './sortable-scope.ts'

type ItemProps<Tag extends 'tr' | 'li' | 'div'> = Omit<ComponentProps<Tag>, 'children' | 'id' | 'ref'> & {
  as: Tag
  id: number
  index: number
  list: string
  name: string
  disabled?: boolean
  /** Gets the handle to place into the item. */
  children: (handle: ReactNode) => ReactNode
}

/** A row or entry of a `Sortable`. */
export function SortableItem<Tag extends 'tr' | 'li' | 'div'>({
  as,
  id,
  index,
  list,
  name,
  disabled = false,
  children,
  ...rest
}: ItemProps<Tag>) {
  const { prefix, hasOneList, held, count, put, drop, putBack, onKeyDown } = use(SortableScope)
  const [menu, setMenu] = useState<{ current: HTMLElement }>()
  const { ref, handleRef, isDragging } = useSortable({
    id,
    index,
    group: list,
    type: 'item',
    accept: 'item',
    disabled,
    collisionDetector: detector(hasOneList),
    // The library's own moving of elements would take them from under React (docs/decisions/033).
    plugins: [],
  })
  const isHeld = held === id
  const release = useEffectEvent(putBack)
  useEffect(() => {
    if (isHeld && disabled) release()
  }, [isHeld, disabled])
  const isCarried = isHeld || isDragging
  const last = count(list) - 1
  const places = [
    { label: 'Move to the top', to: 0, isOff: index === 0 },
    { label: 'Move up', to: index - 1, isOff: index === 0 },
    { label: 'Move down', to: index + 1, isOff: index >= last },
    { label: 'Move to the end', to: last, isOff: index >= last },
  ]
  const handle = (
    <IconButton
      ref={handleRef}
      // A click opens a menu with the same moves, for people who cannot drag (WCAG 2.5.7); by keyboard it picks the item up.
      onClick={event => setMenu({ current: event.currentTarget })}
      onKeyDown={event => onKeyDown(event, id)}
      // Firefox fires a click when the space bar is released.
      onKeyUp={event => event.key === ' ' && event.preventDefault()}
      // When the window loses the focus, its active element stays the same, and the item stays picked up.
      onBlur={event => isHeld && document.activeElement !== event.currentTarget && drop()}
      id={`${prefix}${id}`}
      small
      disabled={disabled}
      aria-label={`Move ${name}`}
      aria-describedby={`${prefix}keys`}
      aria-pressed={isCarried}
      // The browser's own gesture would win against the drag on a touch screen.
      className={styles.handle}
    >
      <DragIcon fontSize="small" />
    </IconButton>
  )
  const Element = as as 'div'
  return (
    <Element {...(rest as ComponentProps<'div'>)} ref={ref} data-dragging={isCarried || undefined}>
      {children(
        <>
          {handle}
          {menu && (
            <Menu
              open
              label={`Move ${name}`}
              anchor={menu}
              onClose={() => setMenu(undefined)}
              choices={places.map(({ label, to, isOff }) => ({ key: label, label, isDisabled: isOff, onChoose: () => put(id, list, to) }))}
            />
          )}
        </>,
      )}
    </Element>
  )
}

type ListProps<Tag extends 'tbody' | 'ul' | 'div'> = Omit<ComponentProps<Tag>, 'id' | 'ref'> & { as: Tag; list: string }

/** The drop target for a list of a `Sortable`; accepts items even while it is empty. */
export function SortableList<Tag extends 'tbody' | 'ul' | 'div'>({ as, list, ...rest }: ListProps<Tag>) {
  const { ref, isDropTarget } = useDroppable({
    id: list,
    type: 'list',
    accept: 'item',
    collisionPriority: CollisionPriority.Low,
    collisionDetector: detector(use(SortableScope).hasOneList),
  })
  const Element = as as 'div'
  return <Element {...(rest as ComponentProps<'div'>)} ref={ref} data-drop-target={isDropTarget || undefined} />
}
