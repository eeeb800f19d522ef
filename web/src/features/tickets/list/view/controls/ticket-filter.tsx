import { useQuery } from '@tanstack/react-query'
import { limits } from '@tessera/contract/limits'
import { phaseName } from '@tessera/contract/messages'
import { getTicketStateList, getTicketTemplateList } from '@tessera/contract/projects/project-config'
import { type Ref, useState } from 'react'
import { MultiSelectFilter } from '../../../../../components/filter/multi-select-filter.tsx'
import { TextFilter } from '../../../../../components/filter/text-filter.tsx'
import { PhaseMark } from '../../../../../components/icons/phase-mark.tsx'
import { callQuery } from '../../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../../lib/calls/live/seldom-stale.ts'
import type { TicketView } from '../ticket-view.ts'
import { LabelFilter } from './label-filter.tsx'
import styles from './ticket-filter.module.css'

interface TicketFilterProps {
  name: 'id' | 'title' | 'types' | 'phases' | 'states' | 'subordinates'
  idProject: number
  view: TicketView
  onChange: (patch: Partial<TicketView>) => void
  /** The input of the filter for the description. */
  titleRef: Ref<HTMLInputElement>
}

const phaseOptions = ([1, 2, 3] as const).map(phase => ({ value: phase, label: phaseName[phase], mark: <PhaseMark phase={phase} /> }))

/** The filter under one column. */
export function TicketFilter({ name, idProject, view, onChange, titleRef }: TicketFilterProps) {
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
            ref={titleRef}
          />
          <LabelFilter idProject={idProject} value={view.labels} onChange={labels => onChange({ labels })} />
        </div>
      )
    case 'types':
      return <TypeFilter idProject={idProject} value={view.types} onChange={types => onChange({ types })} />
    case 'states':
      return <StateFilter idProject={idProject} value={view.states} onChange={states => onChange({ states })} />
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

interface ChoiceProps {
  idProject: number
  value: number[]
  onChange: (value: number[]) => void
}

function TypeFilter({ idProject, value, onChange }: ChoiceProps) {
  const list = useQuery({ ...callQuery(getTicketTemplateList, { idProject }), staleTime: seldomStale })
  const types = list.data
  const [isAsked, ask] = useState(false)
  // Tickets keep an archived type. Archived types are read when the filter opens, or when it has a type that is not in the list above.
  const isArchivedWanted = isAsked || (types !== undefined && !value.every(id => types.some(type => type.idTicketTemplate === id)))
  const { data: archived } = useQuery({
    ...callQuery(getTicketTemplateList, { idProject, Archived: 1 }),
    enabled: isArchivedWanted,
    staleTime: seldomStale,
  })
  const option = ({ idTicketTemplate, Description }: { idTicketTemplate: number; Description: string }, detail?: string) => ({
    value: idTicketTemplate,
    label: Description,
    detail,
  })
  const options = [...(types ?? []).map(type => option(type)), ...(archived ?? []).map(type => option(type, 'archived'))]
  return <MultiSelectFilter label="Type" options={options} list={list} value={value} onChange={onChange} onOpen={() => ask(true)} />
}

function StateFilter({ idProject, value, onChange }: ChoiceProps) {
  const list = useQuery({ ...callQuery(getTicketStateList, { idProject }), staleTime: seldomStale })
  const options = (list.data ?? []).map(({ id, Description, phase }) => ({
    value: id,
    label: Description,
    mark: <PhaseMark phase={phase} />,
  }))
  return <MultiSelectFilter label="State" options={options} list={list} value={value} onChange={onChange} />
}
