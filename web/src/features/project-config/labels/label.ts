import type { Response } from '@tessera/contract/call'
import type { getLabelList } from '@tessera/contract/projects/labels'

export type Label = Response<typeof getLabelList>[number]
