import { useQuery } from '@tanstack/react-query'
import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import { getLabelList } from '@tessera/contract/projects/labels'
import {
  type TemplateDefaults as Defaults,
  type getTicketFieldList,
  getTicketTemplateList,
  propertyType,
} from '@tessera/contract/projects/project-config'
import { getProjectMembers } from '@tessera/contract/projects/projects'
import { MultiAutocomplete } from '../../../components/autocomplete/autocomplete.tsx'
import { hasFailed, LoadProblem } from '../../../components/empty-state/load-problem.tsx'
import { LabelChip } from '../../../components/label-chip/label-chip.tsx'
import { Skeleton } from '../../../components/skeleton/skeleton.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { callQuery } from '../../../lib/calls/api.ts'
import { readableOn } from '../../../lib/display/label-color.ts'
import { ValueField } from '../../tickets/ticket/fields/value-field.tsx'
import { defaultTitleRule } from './edited-defaults.ts'
import { TemplateChildren } from './template-children.tsx'
import styles from './template-defaults.module.css'

interface TemplateDefaultsProps {
  idProject: number
  /** The fields that the template shows, in its order. */
  fields: Response<typeof getTicketFieldList>
  value: Defaults
  onChange: (change: Partial<Defaults>) => void
}

/** What a new ticket of the template begins with. */
export function TemplateDefaults({ idProject, fields, value, onChange }: TemplateDefaultsProps) {
  const labels = useQuery(callQuery(getLabelList, { idProject }))
  const templates = useQuery(callQuery(getTicketTemplateList, { idProject }))
  const hasPeople = fields.some(({ FieldType }) => FieldType === propertyType.USER)
  const members = useQuery({ ...callQuery(getProjectMembers, { idProject }), enabled: hasPeople })
  const loads = [labels, templates, members]
  // Without their lists the chosen labels and people would look like none, or like former ones.
  if (!labels.data || !templates.data || (hasPeople && !members.data))
    return loads.some(hasFailed) ? <LoadProblem of={loads} /> : <Skeleton height={160} />
  const people = (members.data ?? []).map(({ idUser, FullName, Login }) => ({ value: String(idUser), label: FullName || Login }))
  const choices = labels.data.map(({ idLabel, Label, Color }) => ({ id: idLabel, text: Label, Color }))
  return (
    <div className={styles.defaults}>
      <TextField
        label="Title of a new ticket"
        placeholder="None"
        value={value.Title ?? ''}
        problem={defaultTitleRule(value.Title ?? '')}
        onChange={({ target }) => onChange({ Title: target.value })}
      />
      {fields.map(field => (
        <ValueField
          key={field.id}
          field={field}
          people={people}
          value={value.data?.[field.Key] ?? ''}
          onChange={text => onChange({ data: { ...value.data, [field.Key]: text } })}
        />
      ))}
      {(choices.length > 0 || (value.Labels?.length ?? 0) > 0) && (
        <MultiAutocomplete
          label="Labels"
          placeholder="None"
          options={choices}
          value={choices.filter(({ id }) => value.Labels?.includes(id))}
          chipStyle={({ Color }) => ({ backgroundColor: Color, color: readableOn(Color) })}
          renderOption={({ text, Color }) => <LabelChip name={text} color={Color} />}
          onChange={chosen => onChange({ Labels: chosen.slice(0, limits.labelsPerTicket).map(({ id }) => id) })}
        />
      )}
      <TemplateChildren templates={templates.data} value={value.Children ?? []} onChange={Children => onChange({ Children })} />
    </div>
  )
}
