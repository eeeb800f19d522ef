import type { Page } from '@playwright/test'
import type { Request } from '@tessera/contract/call'
import { setTicketData } from '@tessera/contract/tickets/tickets'
import { callBeside } from '../call.ts'

export const rowsOf = (page: Page) => page.locator('tr[data-key]')

export const saveBeside = (page: Page, input: Request<typeof setTicketData>) => callBeside(page, setTicketData, input)
