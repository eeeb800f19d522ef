import { useQuery } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { phaseName } from '@tessera/contract/messages'
import { getTicketStateList, getTicketTemplateList } from '@tessera/contract/project-config'
import { type Ref, useState } from 'react'
import { MultiSelectFilter } from '../../../../components/filter/multi-select-filter.tsx'
import { TextFilter } from '../../../../components/filter/text-filter.tsx'
import { PhaseMark } from '../../../../components/icons/phase-mark.tsx'
import { callQuery } from '../../../../lib/api.ts'
import { LabelFilter } from './label-filter.tsx'
import styles from './ticket-filter.module.css'
import type { TicketView } from './ticket-view.ts'

interface TicketFilterProps {
  name: 'id' | 'title' | 'types' | 'phases' | 'states' | 'subordinates'
  idProject: number
  view: TicketView
  onChange: (patch: Partial<TicketView>) => void
  inputRef?: Ref<HTMLInputElement>
}

const phaseOptions = ([1, 2, 3] as const).map(phase => ({ value: phase, label: phaseName[phase], mark: <PhaseMark phase={phase} /> }))

/** The filter under one column. */
export function TicketFilter({ name, idProject, view, onChange, inputRef }: TicketFilterProps) {
  const types = useQuery({ ...callQuery(getTicketTemplateList, { idProject }), enabled: name === 'types', staleTime: 60_000 })
  const [isAsked, ask] = useState(false)
  // Tickets keep a type that was archived; it is looked up when the filter opens, or names one that the list above has not.
  const isArchivedWanted =
    isAsked || (types.data !== undefined && !view.types.every(id => types.data.some(type => type.idTicketTemplate === id)))
  const archived = useQuery({
    ...callQuery(getTicketTemplateList, { idProject, Archived: 1 }),
    enabled: name === 'types' && isArchivedWanted,
    staleTime: 60_000,
  })
  const states = useQuery({ ...callQuery(getTicketStateList, { idProject }), enabled: name === 'states', staleTime: 60_000 })
  switch (name) {
    case 'id':
      return <TextFilter label="ID" placeholder="Filter ID" value={view.id} maxLength={64} onChange={id => onChange({ id })} />
    case 'title':
      return (
        <div className={styles.both}>
          <TextFilter
            label="Description"
            placeholder="Filter description"
            value={view.title}
            maxLength={limits.ticketTitle}
            onChange={title => onChange({ title })}
            {...(inputRef && { inputRef })}
          />
          <LabelFilter idProject={idProject} value={view.labels} onChange={labels => onChange({ labels })} />
        </div>
      )
    case 'types': {
      const option = ({ idTicketTemplate, Description }: { idTicketTemplate: number; Description: string }, detail?: string) => ({
        value: idTicketTemplate,
        label: Description,
        detail,
      })
      const options = [...(types.data ?? []).map(type => option(type)), ...(archived.data ?? []).map(type => option(type, 'archived'))]
      return (
        <MultiSelectFilter
          label="Type"
          options={options}
          value={view.types}
          onChange={value => onChange({ types: value })}
          onOpen={() => ask(true)}
        />
      )
    }
    case 'states': {
      const options = states.data?.map(({ id, Description, phase }) => ({
        value: id,
        label: Description,
        mark: <PhaseMark phase={phase} />,
      }))
      return <MultiSelectFilter label="State" options={options ?? []} value={view.states} onChange={value => onChange({ states: value })} />
    }
    case 'phases':
      return <MultiSelectFilter label="Phase" options={phaseOptions} value={view.phases} onChange={value => onChange({ phases: value })} />
    case 'subordinates':
      return (
        <MultiSelectFilter
          label="Subordinates"
          options={phaseOptions}
          value={view.subordinates}
          onChange={value => onChange({ subordinates: value })}
        />
      )
  }
}
