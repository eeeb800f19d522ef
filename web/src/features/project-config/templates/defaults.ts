import type { TemplateDefaults } from '@tessera/contract/project-config'

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
