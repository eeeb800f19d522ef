import { limits } from '@tessera/contract/limits'
import type { TemplateDefaults } from '@tessera/contract/projects/project-config'
import { mergeLists, mergeValues } from '../../../lib/forms/drafts/merge.ts'
import { lengthRule, nameRule } from '../../../lib/forms/field-rules.ts'

export const defaultTitleRule = lengthRule(limits.ticketTitle)
export const childTitleRule = nameRule('a title', limits.ticketTitle)

/** The defaults with my changes and those of somebody else since they were read. */
export function mergedDefaults(read: TemplateDefaults, mine: TemplateDefaults, theirs: TemplateDefaults): TemplateDefaults {
  const values = ({ data = {} }: TemplateDefaults) => Object.entries(data).map(([key, value]) => ({ key, value }))
  const data = mergeLists(values(read), values(mine), values(theirs), ({ key }) => key)
  const Title = mergeValues(read.Title, mine.Title, theirs.Title)
  const Children = mergeValues(read.Children, mine.Children, theirs.Children)
  const Labels = mergeLists(read.Labels ?? [], mine.Labels ?? [], theirs.Labels ?? [], id => id)
  return {
    ...(Title !== undefined && { Title }),
    ...(data.length > 0 && { data: Object.fromEntries(data.map(({ key, value }) => [key, value])) }),
    ...(Labels.length > 0 && { Labels }),
    ...(Children && { Children }),
  }
}

/** The defaults without what is empty: what is stored. Fields that the template does not show have none. */
export function storedDefaults({ Title, data, Labels, Children }: TemplateDefaults, keys: readonly string[]): TemplateDefaults {
  const values = Object.entries(data ?? {}).filter(([key, value]) => value !== '' && keys.includes(key))
  return {
    ...(Title?.trim() && { Title: Title.trim() }),
    ...(values.length > 0 && { data: Object.fromEntries(values) }),
    ...(Labels && Labels.length > 0 && { Labels }),
    ...(Children && Children.length > 0 && { Children: Children.map(child => ({ ...child, Title: child.Title.trim() })) }),
  }
}
