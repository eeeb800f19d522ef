import type { Response } from '@tessera/contract/call'
import { limits } from '@tessera/contract/limits'
import type { getTicketTemplateList, TemplateDefaults } from '@tessera/contract/projects/project-config'
import { Button } from '../../../components/button/button.tsx'
import { IconButton } from '../../../components/icon-button/icon-button.tsx'
import { CloseIcon } from '../../../components/icons/icons.tsx'
import { Select } from '../../../components/select/select.tsx'
import { TextField } from '../../../components/text-field/text-field.tsx'
import { childTitleRule } from './edited-defaults.ts'
import styles from './template-defaults.module.css'

type Children = NonNullable<TemplateDefaults['Children']>

interface TemplateChildrenProps {
  templates: Response<typeof getTicketTemplateList>
  value: Children
  onChange: (value: Children) => void
}

/** The child tickets that come with a new ticket, in order. */
export function TemplateChildren({ templates, value, onChange }: TemplateChildrenProps) {
  const change = (index: number, part: Partial<Children[number]>) =>
    onChange(value.map((child, at) => (at === index ? { ...child, ...part } : child)))
  const first = templates[0]?.idTicketTemplate
  return (
    <fieldset className={styles.children}>
      <legend className={styles.legend}>Child tickets</legend>
      {value.map((child, index) => (
        <div key={index} className={styles.child}>
          <Select
            aria-label={`Type of child ${index + 1}`}
            value={child.idTemplate}
            options={templates.map(({ idTicketTemplate, Description }) => ({ value: idTicketTemplate, label: Description }))}
            onChange={idTemplate => change(index, { idTemplate })}
            className={styles.type}
          />
          <TextField
            aria-label={`Title of child ${index + 1}`}
            value={child.Title}
            problem={childTitleRule(child.Title)}
            autoFocus={child.Title === ''}
            onChange={({ target }) => change(index, { Title: target.value })}
            className={styles.title}
          />
          <IconButton small aria-label={`Remove child ${index + 1}`} onClick={() => onChange(value.filter((_, at) => at !== index))}>
            <CloseIcon fontSize="small" />
          </IconButton>
        </div>
      ))}
      <Button
        disabled={first === undefined || value.length >= limits.childrenOfTemplate}
        onClick={() => first !== undefined && onChange([...value, { idTemplate: first, Title: '' }])}
        className={styles.add}
      >
        ADD CHILD TICKET
      </Button>
    </fieldset>
  )
}
