import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { permission } from '@tessera/contract/permissions'
import {
  getTicketFieldList,
  getTicketPropertyTypeList,
  restoreTicketFields,
  setTicketFieldOrder,
} from '@tessera/contract/projects/project-config'
import { useState } from 'react'
import { Breakable } from '../../../components/breakable/breakable.tsx'
import { EmptyState } from '../../../components/empty-state/empty-state.tsx'
import { EditIcon } from '../../../components/icons/icons.tsx'
import { lazy } from '../../../components/lazy/lazy.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { useRestore } from '../deletion/use-restore.ts'
import { ConfigListCard } from '../list-card/config-list-card.tsx'
import type { ProjectRights } from '../project-rights.ts'
import styles from './ticket-field-list-card.module.css'

const TicketFieldDialog = lazy(async () => (await import('./ticket-field-dialog.tsx')).TicketFieldDialog)
const DeleteFieldsDialog = lazy(async () => (await import('./delete-fields-dialog.tsx')).DeleteFieldsDialog)

export function TicketFieldListCard({ rights }: { rights: ProjectRights }) {
  const { idProject } = rights
  const query = useQuery(callQuery(getTicketFieldList, { idProject }))
  const { data } = query
  const archived = useQuery(callQuery(getTicketFieldList, { idProject, Archived: 1 }))
  const types = useQuery({ ...callQuery(getTicketPropertyTypeList, {}), staleTime: 'static' })
  const restore = useRestore(restoreTicketFields, idProject, 'field')
  const [opened, open] = useState<Response<typeof getTicketFieldList>[number] | 'new'>()
  const [toDelete, setToDelete] = useState<number[]>()
  return (
    <>
      <ConfigListCard
        title="Ticket Fields"
        noun="field"
        rights={rights}
        needs={permission.manageFields}
        columns={['Label', 'DB Key', 'Type']}
        rows={data?.map(({ id, Label, Key, FieldType }) => ({
          id,
          name: Label,
          cells: [
            <span key="key" className={styles.key}>
              <Breakable>{Key}</Breakable>
            </span>,
            <span key="type" className={styles.type}>
              <TypeName>{types.data?.find(type => type.idTicketPropertyType === FieldType)?.Description}</TypeName>
            </span>,
          ],
        }))}
        query={query}
        others={[types, archived]}
        order={setTicketFieldOrder}
        onOpen={row => open(row === 'new' ? row : data?.find(({ id }) => id === row))}
        onDelete={setToDelete}
        newLabel="NEW FIELD"
        archived={(archived.data ?? []).map(({ id, Label }) => ({ id, name: Label }))}
        onRestore={restore}
        empty={
          <EmptyState dense icon={<EditIcon />} title="There are no fields yet">
            A field holds what a ticket needs beyond its title and state: a description, a severity, a date.
          </EmptyState>
        }
      />
      {opened && <TicketFieldDialog idProject={idProject} {...(opened !== 'new' && { field: opened })} onClose={() => open(undefined)} />}
      {toDelete && data && (
        <DeleteFieldsDialog
          idProject={idProject}
          fields={data.filter(({ id }) => toDelete.includes(id))}
          onRestore={restore}
          onClose={() => setToDelete(undefined)}
        />
      )}
    </>
  )
}

/** The name of a type, which may have a second line after TEXT or MULTI on a phone. */
function TypeName({ children = '' }: { children: string | undefined }) {
  const [, first, rest] = /^(TEXT|MULTI)?(.*)$/.exec(children) ?? []
  return (
    <>
      {first && <span className={styles.first}>{first}</span>}
      {rest}
    </>
  )
}
