import { useQuery } from '@tanstack/react-query'
import { getLabelList } from '@tessera/contract/projects/labels'
import { getProjectData } from '@tessera/contract/projects/projects'
import { useState } from 'react'
import { MultiSelectFilter } from '../../../../../components/filter/multi-select-filter.tsx'
import { callQuery } from '../../../../../lib/calls/api.ts'
import { seldomStale } from '../../../../../lib/calls/live/seldom-stale.ts'
import styles from './label-filter.module.css'

interface LabelFilterProps {
  idProject: number
  value: number[]
  onChange: (labels: number[]) => void
}

/** Filters by labels: tickets with any of the chosen ones. Hidden while neither the project nor its organization has labels. */
export function LabelFilter({ idProject, value, onChange }: LabelFilterProps) {
  const project = useQuery({ ...callQuery(getProjectData, { idProject }), staleTime: seldomStale })
  const [isAsked, ask] = useState(false)
  const labels = useQuery({ ...callQuery(getLabelList, { idProject }), enabled: isAsked || value.length > 0, staleTime: seldomStale })
  if (project.data?.HasLabels !== 1 && value.length === 0) return null
  return (
    <MultiSelectFilter
      label="Labels"
      placeholder="All labels"
      options={(labels.data ?? []).map(({ idLabel, Label, Color }) => ({
        value: idLabel,
        label: Label,
        mark: <span className={styles.mark} style={{ background: Color }} />,
      }))}
      list={labels}
      value={value}
      onChange={onChange}
      onOpen={() => ask(true)}
    />
  )
}
