import { useQuery } from '@tanstack/react-query'
import { getFieldTypeChange } from '@tessera/contract/projects/project-config'
import { useEffect, useEffectEvent } from 'react'
import { Alert } from '../../../components/alert/alert.tsx'
import { hasFailed, LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { ScrollArea } from '../../../components/scroll-area/scroll-area.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { counted, formatNumber } from '../../../lib/display/format.ts'
import styles from './field-type-change.module.css'

interface FieldTypeChangeProps {
  idProject: number
  idField: number
  idControlType: number
  onFits: (fits: boolean) => void
}

/** The effect of changing a field's type on its stored values. */
export function FieldTypeChange({ onFits, ...input }: FieldTypeChangeProps) {
  const change = useQuery(callQuery(getFieldTypeChange, input))
  const fits = change.data?.Unfit === 0
  const tell = useEffectEvent(onFits)
  useEffect(() => tell(fits), [fits])
  if (!change.data) return hasFailed(change) ? <LoadProblem of={[change]} /> : <Skeleton height={40} />
  const { Tickets, Unfit, Values, FieldProps } = change.data
  if (fits)
    return (
      <Alert severity="info">
        {Tickets === 0 ? 'No ticket has a value.' : `The values of all ${counted(Tickets, 'ticket')} fit.`}
        {FieldProps.length > 0 && ` The options: ${FieldProps.map(({ label }) => label).join(', ')}.`}
      </Alert>
    )
  return (
    <Alert severity="warning">
      {`${formatNumber(Unfit)} of ${counted(Tickets, 'ticket')} ${Unfit === 1 ? 'has a value that does' : 'have values that do'} not fit, so the type cannot change:`}
      <ScrollArea label="Values that do not fit" className={styles.values}>
        <ul>
          {Values.map(({ Value, Tickets, Reason }) => (
            <li key={Value}>
              <b>{Value}</b> ({counted(Tickets, 'ticket')}) {Reason}
            </li>
          ))}
        </ul>
      </ScrollArea>
    </Alert>
  )
}
