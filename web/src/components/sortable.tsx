import { CollisionPriority } from '@dnd-kit/abstract'
import { defaultCollisionDetection, pointerIntersection } from '@dnd-kit/collision'
import {
  Accessibility,
  type DragEndEvent,
  type Draggable,
  type DragOverEvent,
  type DragStartEvent,
  KeyboardSensor,
  PointerActivationConstraints,
  PointerSensor,
  StyleInjector,
} from '@dnd-kit/dom'
import { isSortable } from '@dnd-kit/dom/sortable'
import { move } from '@dnd-kit/helpers'
import { DragDropProvider, useDroppable } from '@dnd-kit/react'
import { useSortable } from '@dnd-kit/react/sortable'
import IconButton from '@mui/material/IconButton'
import Menu from '@mui/material/Menu'
import MenuItem from '@mui/material/MenuItem'
import { type ComponentProps, createContext, type ReactNode, use, useId, useMemo, useRef, useState } from 'react'
import { isSame } from '../lib/use-draft.ts'
import { DragIcon } from './icons.tsx'

type Lists = Record<string, number[]>

interface Scope {
  prefix: string
  hasOneList: boolean
  /** How many stand in a list. */
  count: (list: string) => number
  put: (id: number, list: string, index: number) => void
}
const SortableScope = createContext<Scope>({ prefix: '', hasOneList: true, count: () => 0, put: () => {} })
/** Between lists the pointer alone says where; within one, an item also makes way for what is beside it. */
const detector = (hasOneList: boolean) => (hasOneList ? defaultCollisionDetection : pointerIntersection)

interface SortableProps<Names extends string> {
  /** Ids in their order, by list; an id stands in one list at a time. */
  lists: Record<Names, number[]>
  /** What screen readers call an item. */
  nameOf: (id: number) => string
  /** What they call a list, where there is more than one. */
  listNames?: Record<Names, string>
  /** Takes the new order after a drop; a promise that rejects puts everything back. */
  onChange: (lists: Record<Names, number[]>) => unknown
  children: (lists: Record<Names, number[]>) => ReactNode
}

const sensors = [
  PointerSensor.configure({ activationConstraints: [new PointerActivationConstraints.Distance({ value: 5 })] }),
  KeyboardSensor,
]
const instructions = {
  draggable: 'Press space to pick up, the arrow keys to move, space again to drop, escape to cancel.',
}

/** Lists whose items are put in order, and moved between lists, by mouse, touch and keyboard. Load it lazily: it is 37 kB. */
export function Sortable<Names extends string>({ lists, nameOf, listNames, onChange, children }: SortableProps<Names>) {
  // What a drop made counts until the caller's own lists change.
  const [moved, setMoved] = useState<{ from: Lists; to: Lists } | null>(null)
  const shown: Lists = moved && isSame(moved.from, lists) ? moved.to : lists
  const latest = useRef({ nameOf, listNames })
  const prefix = useId()
  const hasOneList = Object.keys(lists).length === 1
  latest.current = { nameOf, listNames }

  const plugins = useMemo(() => {
    const place = (source: Draggable) => {
      if (!isSortable(source)) return ''
      const list = (latest.current.listNames as Record<string, string> | undefined)?.[String(source.sortable.group)]
      return `position ${source.sortable.index + 1}${list ? ` in ${list}` : ''}`
    }
    const name = (source: Draggable) => latest.current.nameOf(Number(source.id))
    const accessibility = Accessibility.configure({
      screenReaderInstructions: instructions,
      announcements: {
        dragstart: ({ operation: { source } }: DragStartEvent) => (source ? `Picked up ${name(source)}, ${place(source)}.` : undefined),
        dragover: ({ operation: { source } }: DragOverEvent) => (source ? `${name(source)}: ${place(source)}.` : undefined),
        dragend: ({ operation: { source }, canceled }: DragEndEvent) =>
          source ? (canceled ? `${name(source)} is back where it was.` : `Dropped ${name(source)}, ${place(source)}.`) : undefined,
      },
    })
    const nonce = document.querySelector<HTMLMetaElement>('meta[name=csp-nonce]')?.content
    return [accessibility, ...(nonce ? [StyleInjector.configure({ nonce })] : [])]
  }, [])

  const take = (to: Lists) => {
    setMoved({ from: lists, to })
    if (isSame(to, lists)) return
    Promise.resolve(onChange(to as Record<Names, number[]>)).catch(() => setMoved(null))
  }
  const scope: Scope = {
    prefix,
    hasOneList,
    count: list => shown[list]?.length ?? 0,
    put: (id, list, index) => {
      const others = (shown[list] ?? []).filter(other => other !== id)
      take({ ...shown, [list]: [...others.slice(0, index), id, ...others.slice(index)] })
    },
  }
  return (
    <DragDropProvider
      sensors={sensors}
      plugins={defaults => [...defaults.filter(plugin => plugin !== Accessibility), ...plugins]}
      onDragStart={() => setMoved({ from: lists, to: shown })}
      onDragOver={event => setMoved(now => now && { ...now, to: move(now.to, event) })}
      onDragEnd={event => {
        const { source, activatorEvent } = event.operation
        // An item that came into another list is another element; the keyboard stays with it all the same.
        if (source && activatorEvent instanceof KeyboardEvent) setTimeout(() => document.getElementById(`${prefix}${source.id}`)?.focus())
        if (event.canceled || !moved) return setMoved(null)
        // Within one list the library has moved the row by itself and tells only now.
        take(move(moved.to, event))
      }}
    >
      <SortableScope value={scope}>{children(shown as Record<Names, number[]>)}</SortableScope>
    </DragDropProvider>
  )
}

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
  const { prefix, hasOneList, count, put } = use(SortableScope)
  const [menu, setMenu] = useState<HTMLElement | null>(null)
  const { ref, handleRef, isDragging } = useSortable({
    id,
    index,
    group: list,
    type: 'item',
    accept: 'item',
    disabled,
    collisionDetector: detector(hasOneList),
  })
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
      // A click without dragging offers the same without dragging (WCAG 2.5.7); the keyboard picks up instead.
      onClick={event => setMenu(event.currentTarget)}
      id={`${prefix}${id}`}
      size="small"
      disabled={disabled}
      aria-label={`Move ${name}`}
      // The browser's own gesture would win against the drag on a touch screen.
      sx={{ cursor: isDragging ? 'grabbing' : 'grab', touchAction: 'none', color: 'text.secondary' }}
    >
      <DragIcon fontSize="small" />
    </IconButton>
  )
  const Element = as as 'div'
  return (
    <Element {...(rest as ComponentProps<'div'>)} ref={ref} data-dragging={isDragging || undefined}>
      {children(
        <>
          {handle}
          {menu && (
            <Menu
              open
              anchorEl={menu}
              onClose={() => setMenu(null)}
              // What is clicked in here is no click on the row.
              onClick={event => event.stopPropagation()}
              slotProps={{ list: { 'aria-label': `Move ${name}` } }}
            >
              {places.map(({ label, to, isOff }) => (
                <MenuItem
                  key={label}
                  disabled={isOff}
                  onClick={() => {
                    setMenu(null)
                    put(id, list, to)
                  }}
                >
                  {label}
                </MenuItem>
              ))}
            </Menu>
          )}
        </>,
      )}
    </Element>
  )
}

type ListProps<Tag extends 'tbody' | 'ul' | 'div'> = Omit<ComponentProps<Tag>, 'id' | 'ref'> & { as: Tag; list: string }

/** The place of a list of a `Sortable`, which takes items also while it is empty. */
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
