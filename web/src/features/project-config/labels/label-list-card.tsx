import { useQuery } from '@tanstack/react-query'
import { permission } from '@tessera/contract/permissions'
import { getLabelList, restoreLabels } from '@tessera/contract/projects/labels'
import { useState } from 'react'
import { Button } from '../../../components/button/button.tsx'
import { CheckBox } from '../../../components/check-box/check-box.tsx'
import { DataTable } from '../../../components/data-table/data-table.tsx'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { DeleteIcon, LabelIcon } from '../../../components/icons/icons.tsx'
import { LabelChip } from '../../../components/label-chip/label-chip.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { useLongList } from '../../../components/long-list/use-long-list.tsx'
import { PermissionGate } from '../../../components/permission-gate/permission-gate.tsx'
import { ScrollArea } from '../../../components/scroll-area/scroll-area.tsx'
import { SectionCard } from '../../../components/section-card/section-card.tsx'
import { SkeletonRows } from '../../../components/skeleton/skeleton-rows.tsx'
import { Tooltip } from '../../../components/tooltip/tooltip.tsx'
import { VisuallyHidden } from '../../../components/visually-hidden/visually-hidden.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { formatNumber } from '../../../lib/display/format.ts'
import { useActions } from '../../../lib/input/actions.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { useRestore } from '../deletion/use-restore.ts'
import { RowHead } from '../list-card/row-head.tsx'
import { isRefused, type ProjectRights, refusalIn } from '../project-rights.ts'
import type { Label } from './label.ts'

const LabelDialog = lazy(async () => (await import('./label-dialog.tsx')).LabelDialog)
const DeleteLabelsDialog = lazy(async () => (await import('./delete-labels-dialog.tsx')).DeleteLabelsDialog)
const MergeLabelsDialog = lazy(async () => (await import('./merge-labels-dialog.tsx')).MergeLabelsDialog)

/** The labels that tickets of the project may carry: its own, and those of the organization. */
export function LabelListCard({ rights }: { rights: ProjectRights }) {
  const { idProject } = rights
  const query = useQuery(callQuery(getLabelList, { idProject }))
  const labels = query.data
  const { isAdmin } = useSession()
  const restore = useRestore(restoreLabels, idProject, 'label')
  const [opened, open] = useState<Label | 'new' | 'delete' | 'merge'>()
  const [marked, mark] = useState<readonly number[]>([])
  const refused = isRefused(rights, permission.manageFields)
  /** A label of the organization is shown in projects that other people manage. */
  const isFixed = ({ Scope }: Label) => refused || (Scope === 'organization' && !isAdmin)
  useActions([{ label: 'New label', refused: refusalIn(rights, permission.manageFields), run: () => open('new') }])
  const list = useLongList(labels, row => row.Label, { one: 'label', many: 'labels' })
  const chosen = (labels ?? []).filter(label => !isFixed(label) && marked.includes(label.idLabel))
  const ids = chosen.map(({ idLabel }) => idLabel)
  const gate = { idProject, needs: permission.manageFields, held: rights.held, reason: rights.frozen }
  const close = () => open(undefined)
  // The box in the head is for what the search finds; labels that were selected before stay selected.
  const free = list.found.filter(label => !isFixed(label)).map(({ idLabel }) => idLabel)
  const chosenOfFree = free.filter(id => ids.includes(id)).length
  return (
    <>
      <SectionCard
        title="Labels"
        count={labels?.length}
        actions={
          <>
            {list.search}
            <PermissionGate {...gate}>
              {isOff => (
                <Tooltip title={ids.length > 0 ? `Delete ${ids.length} selected` : ''}>
                  <IconButton aria-label="Delete selected labels" disabled={isOff || ids.length === 0} onClick={() => open('delete')}>
                    <DeleteIcon />
                  </IconButton>
                </Tooltip>
              )}
            </PermissionGate>
          </>
        }
        footer={
          <>
            <PermissionGate {...gate}>
              {isOff => (
                <Button disabled={isOff} onClick={() => open('new')}>
                  NEW LABEL
                </Button>
              )}
            </PermissionGate>
            {ids.length > 1 && <Button onClick={() => open('merge')}>MERGE {ids.length} LABELS</Button>}
          </>
        }
      >
        <LoadProblem of={[query]} />
        {labels?.length === 0 && (
          <EmptyState dense icon={<LabelIcon />} title="There are no labels yet">
            Labels are words with a color that tickets carry: regression, customer, docs.
          </EmptyState>
        )}
        {(labels ? labels.length > 0 : !query.error) && (
          <ScrollArea label="Labels">
            <DataTable aria-label="Labels" aria-busy={!labels}>
              <thead>
                <tr>
                  <th className="tight">
                    <CheckBox
                      label="Select every label"
                      disabled={free.length === 0}
                      checked={chosenOfFree > 0 && chosenOfFree === free.length}
                      indeterminate={chosenOfFree > 0 && chosenOfFree < free.length}
                      onChange={on => mark(now => [...now.filter(id => !free.includes(id)), ...(on ? free : [])])}
                    />
                  </th>
                  <th scope="col">Label</th>
                  <th scope="col">Offered in</th>
                  <th scope="col" className="number">
                    In use
                  </th>
                </tr>
              </thead>
              <tbody>
                {!labels && <SkeletonRows columns={4} rows={3} />}
                {list.shown.map(label => (
                  <LabelRow
                    key={label.idLabel}
                    label={label}
                    disabled={isFixed(label)}
                    isChosen={ids.includes(label.idLabel)}
                    onChoose={on => mark(now => (on ? [...now, label.idLabel] : now.filter(id => id !== label.idLabel)))}
                    onOpen={() => open(label)}
                  />
                ))}
              </tbody>
            </DataTable>
          </ScrollArea>
        )}
        {list.rest}
      </SectionCard>
      {opened === 'new' && <LabelDialog idProject={idProject} onClose={close} />}
      {typeof opened === 'object' && <LabelDialog idProject={idProject} label={opened} onClose={close} />}
      {opened === 'delete' && labels && (
        <DeleteLabelsDialog idProject={idProject} labels={labels} ids={ids} onRestore={restore} onClose={close} />
      )}
      {opened === 'merge' && <MergeLabelsDialog idProject={idProject} labels={chosen} onRestore={restore} onClose={close} />}
    </>
  )
}

interface LabelRowProps {
  label: Label
  disabled: boolean
  isChosen: boolean
  onChoose: (isChosen: boolean) => void
  onOpen: () => void
}

function LabelRow({ label: { Label, Color, Scope, Tickets }, disabled, isChosen, onChoose, onOpen }: LabelRowProps) {
  return (
    <tr
      data-chosen={isChosen || undefined}
      data-clickable={!disabled || undefined}
      onClick={({ target }) => {
        if (!disabled && !(target as Element).closest('button, label')) onOpen()
      }}
    >
      <RowHead name={Label} disabled={disabled} isChosen={isChosen} onChoose={onChoose} onOpen={onOpen}>
        <LabelChip name={Label} color={Color} />
      </RowHead>
      <td className="whole">{Scope === 'organization' ? 'Organization' : 'Project'}</td>
      <td className="number">
        {formatNumber(Tickets)}
        <VisuallyHidden>{Tickets === 1 ? ' ticket' : ' tickets'}</VisuallyHidden>
      </td>
    </tr>
  )
}
