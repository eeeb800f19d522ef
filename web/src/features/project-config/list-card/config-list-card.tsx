import type { UseQueryResult } from '@tanstack/react-query'
import type { PermissionId } from '@tessera/contract/permissions'
import type { setTicketFieldOrder, setTicketStateOrder, setTicketTemplateOrder } from '@tessera/contract/projects/project-config'
import type { setProjectRoleOrder } from '@tessera/contract/projects/projects'
import { type ReactNode, useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { CheckBox } from '../../../components/check-box/check-box.tsx'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { ChevronDownIcon, ChevronRightIcon, DeleteIcon, RestoreIcon } from '../../../components/icons/icons.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { ScrollArea } from '../../../components/scroll-area/scroll-area.tsx'
import { SectionCard } from '../../../components/section-card/section-card.tsx'
import { SkeletonRows } from '../../../components/skeleton/skeleton-rows.tsx'
import { Sortable } from '../../../components/sortable/sortable.tsx'
import { SortableItem, SortableList } from '../../../components/sortable/sortable-item.tsx'
import { outcome } from '../../../components/toaster/undo.ts'
import { Tooltip } from '../../../components/tooltip/tooltip.tsx'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import { useCallMutation } from '../../../lib/calls/mutations/use-call-mutation.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { isRefused, type ProjectRights, refusalIn } from '../project-rights.ts'
import styles from './config-list-card.module.css'
import { RowHead } from './row-head.tsx'

interface ConfigRow {
  id: number
  name: string
  /** The cells after the name. */
  cells: ReactNode[]
}

interface ConfigListCardProps {
  title: string
  /** One of them: "field". */
  noun: string
  rights: ProjectRights
  needs: PermissionId
  /** Head of the name, then of each cell. */
  columns: readonly string[]
  rows: readonly ConfigRow[] | undefined
  /** The query that read the rows. */
  query: UseQueryResult
  /** What else is shown. */
  others?: readonly UseQueryResult[]
  /** Saves the whole order; on failure the rows return to the old order. */
  order: typeof setTicketFieldOrder | typeof setTicketStateOrder | typeof setTicketTemplateOrder | typeof setProjectRoleOrder
  onOpen: (row: number | 'new') => void
  onDelete: (ids: number[]) => void
  newLabel: string
  /** Why a new one cannot be created yet. */
  notYet?: string | undefined
  /** More buttons beside NEW …. */
  actions?: ReactNode
  archived?: readonly { id: number; name: string }[]
  /** Returns the message to show. */
  onRestore?: (ids: number[]) => Promise<string>
  empty: ReactNode
}

/** A list of a project's configuration: rows can be reordered, opened, selected and deleted. */
export function ConfigListCard(props: ConfigListCardProps) {
  const { title, noun, rights, needs, columns, rows, query, order, onOpen, onDelete } = props
  const { newLabel, notYet, actions, onRestore, empty, others = [] } = props
  const { idProject } = rights
  const reorder = useCallMutation(order)
  const [marked, mark] = useState<readonly number[]>([])
  const refused = isRefused(rights, needs)
  const gate = { idProject, needs, held: rights.held, reason: rights.frozen }
  useActions([{ label: `New ${noun}`, refused: refusalIn(rights, needs) ?? notYet, run: () => onOpen('new') }])
  const byId = new Map(rows?.map(row => [row.id, row]))
  // Of the two lists, one may still be as it was before a change.
  const archived = (props.archived ?? []).filter(({ id }) => !byId.has(id))
  const chosen = marked.filter(id => byId.has(id))
  const choose = (id: number, on: boolean) => mark(now => (on ? [...now, id] : now.filter(other => other !== id)))
  return (
    <SectionCard
      title={title}
      count={rows?.length}
      actions={
        <PermissionGate {...gate}>
          {isOff => (
            <Tooltip title={chosen.length > 0 ? `Delete ${chosen.length} selected` : ''}>
              <IconButton aria-label={`Delete selected ${noun}s`} disabled={isOff || chosen.length === 0} onClick={() => onDelete(chosen)}>
                <DeleteIcon />
              </IconButton>
            </Tooltip>
          )}
        </PermissionGate>
      }
      footer={
        <>
          <PermissionGate {...gate} reason={rights.frozen ?? notYet}>
            {isOff => (
              <Button disabled={isOff} onClick={() => onOpen('new')}>
                {newLabel}
              </Button>
            )}
          </PermissionGate>
          {actions}
        </>
      }
    >
      <LoadProblem of={[query, ...others]} />
      {rows?.length === 0 && empty}
      {(rows ? rows.length > 0 : !query.error) && (
        <ScrollArea label={title}>
          <Sortable
            lists={{ rows: rows?.map(({ id }) => id) ?? [] }}
            readAt={query.dataUpdatedAt}
            nameOf={id => byId.get(id)?.name ?? noun}
            // The specification wants no message if it fails: the rows return.
            onChange={lists => reorder.mutateAsync({ idProject, SortOrder: lists.rows })}
          >
            {lists => (
              <DataTable aria-label={title} aria-busy={!rows}>
                <thead>
                  <tr>
                    <th scope="col" className="tight">
                      <VisuallyHidden>Order</VisuallyHidden>
                    </th>
                    <th scope="col" className="tight">
                      <CheckBox
                        label={`Select every ${noun}`}
                        disabled={refused || !rows}
                        checked={chosen.length > 0 && chosen.length === rows?.length}
                        indeterminate={chosen.length > 0 && chosen.length < (rows?.length ?? 0)}
                        onChange={on => mark(on ? (rows?.map(({ id }) => id) ?? []) : [])}
                      />
                    </th>
                    {columns.map(column => (
                      <th key={column} scope="col">
                        {column}
                      </th>
                    ))}
                  </tr>
                </thead>
                <SortableList as="tbody" list="rows">
                  {!rows && <SkeletonRows columns={columns.length + 2} rows={4} />}
                  {lists.rows.map((id, index) => {
                    const row = byId.get(id)
                    return (
                      row && (
                        <Row
                          key={id}
                          row={row}
                          index={index}
                          columns={columns}
                          disabled={refused}
                          isChosen={chosen.includes(id)}
                          onChoose={on => choose(id, on)}
                          onOpen={() => onOpen(id)}
                        />
                      )
                    )
                  })}
                </SortableList>
              </DataTable>
            )}
          </Sortable>
        </ScrollArea>
      )}
      {archived.length > 0 && <Archived noun={noun} rows={archived} disabled={refused} onRestore={onRestore} />}
    </SectionCard>
  )
}

interface RowProps {
  row: ConfigRow
  index: number
  columns: readonly string[]
  disabled: boolean
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  onOpen: () => void
}

function Row({ row: { id, name, cells }, index, columns, disabled, isChosen, onChoose, onOpen }: RowProps) {
  return (
    <SortableItem
      as="tr"
      id={id}
      index={index}
      list="rows"
      name={name}
      disabled={disabled}
      data-chosen={isChosen || undefined}
      data-clickable={!disabled || undefined}
      onClick={({ target }) => {
        if (!disabled && !(target as Element).closest('button, label, a')) onOpen()
      }}
    >
      {handle => (
        <>
          <td className="tight">{handle}</td>
          <RowHead name={name} disabled={disabled} isChosen={isChosen} onChoose={onChoose} onOpen={onOpen} />
          {cells.map((cell, position) => (
            <td key={columns[position + 1]}>{cell}</td>
          ))}
        </>
      )}
    </SortableItem>
  )
}

interface ArchivedProps {
  noun: string
  rows: readonly { id: number; name: string }[]
  disabled: boolean
  onRestore: ((ids: number[]) => Promise<string>) | undefined
}

function Archived({ noun, rows, disabled, onRestore }: ArchivedProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className={styles.archived}>
      <Button variant="text" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} className={styles.opener}>
        {isOpen ? <ChevronDownIcon fontSize="small" /> : <ChevronRightIcon fontSize="small" />}
        ARCHIVED ({rows.length})
      </Button>
      {isOpen && (
        <ul aria-label={`Archived ${noun}s`}>
          {rows.map(({ id, name }) => (
            <li key={id} className={styles.row}>
              <span className={styles.name}>{name}</span>
              <Button disabled={disabled} aria-label={`Restore ${name}`} onClick={() => onRestore && void outcome(onRestore([id]))}>
                <RestoreIcon fontSize="small" />
                RESTORE
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
