import { useQuery } from '@tanstack/react-query'
import { deleteTicketStates, getTicketStateUsage } from '@tessera/contract/projects/project-config'
import { Alert } from '../../../components/alert/alert.tsx'
import { hasFailed, LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { counted } from '../../../lib/display/format.ts'
import { listOf } from '../../../lib/display/word-list.ts'
import { AffectedList } from '../deletion/affected-list.tsx'
import { DeleteDialog } from '../deletion/delete-dialog.tsx'
import { useAsOpened } from '../deletion/use-as-opened.ts'
import styles from './delete-states-dialog.module.css'

interface DeleteStatesDialogProps {
  idProject: number
  /** Every state of the project. */
  states: readonly { id: number; Description: string }[]
  ids: number[]
  onRestore: (ids: number[]) => Promise<string>
  onClose: () => void
}

/** Deletes states: a state with tickets needs a replacement; entry states and the last state cannot be deleted. */
export function DeleteStatesDialog({ states, ...props }: DeleteStatesDialogProps) {
  const { idProject, ids } = props
  const query = useQuery({ ...callQuery(getTicketStateUsage, { idProject, ids }), staleTime: 0 })
  const usage = query.data
  const kept = states.filter(({ id }) => !ids.includes(id))
  const named = useAsOpened(states)
  const nameOf = (id: number) => named.find(state => state.id === id)?.Description ?? ''
  const entries = usage?.filter(({ Templates }) => Templates.length > 0) ?? []
  const tickets = usage?.reduce((sum, { Tickets }) => sum + Tickets, 0) ?? 0
  const isImpossible = kept.length === 0 || entries.length > 0
  return (
    <DeleteDialog
      {...props}
      call={deleteTicketStates}
      noun="state"
      disabled={!usage || isImpossible}
      replacement={
        tickets > 0 && !isImpossible
          ? {
              label: `Move ${counted(tickets, 'ticket')} to`,
              hint: 'Moves to and from a deleted state are removed from the workflow as well',
              choices: kept,
            }
          : undefined
      }
      done={(_answer, taker) =>
        `${counted(ids.length, 'state')} deleted${taker === undefined ? '' : `, ${counted(tickets, 'ticket')} moved to ${taker}`}`
      }
    >
      {kept.length === 0 && (
        <Alert severity="warning" className={styles.entry}>
          A project keeps at least one state.
        </Alert>
      )}
      {entries.map(({ id, Templates }) => (
        <Alert key={id} severity="warning" className={styles.entry}>
          New tickets of {listOf(Templates)} start in {nameOf(id)}. Give {Templates.length === 1 ? 'this template' : 'these templates'}{' '}
          another initial state first.
        </Alert>
      ))}
      <LoadProblem of={[query]} />
      {!hasFailed(query) && (
        <AffectedList
          label="Deleted"
          rows={usage?.map(({ id, Tickets }) => ({ id, name: nameOf(id), words: Tickets > 0 ? counted(Tickets, 'ticket') : 'no tickets' }))}
        />
      )}
    </DeleteDialog>
  )
}
