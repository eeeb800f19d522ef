/** A column that was added to the list. */
export interface ShownColumn {
  name: string
  label: string
  /** The renderer of a field's type, by id. */
  typeId?: number | undefined
  /** The label of a stored value: an option, a person. */
  nameOf: (value: string) => string
}
