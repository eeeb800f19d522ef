import { requestReset, resetMail, welcomeMail } from './features/password-reset/jobs.ts'
import { indexField, startMergingPendingLists } from './features/search/jobs.ts'
import { cleanUpFiles, removeFiles, scrubFiles } from './features/tickets/attachments/jobs.ts'
import { deliverNotices } from './features/tickets/subscriptions/jobs.ts'
import { sendNotification } from './features/tickets/subscriptions/notices/ticket-mails.ts'
import { sendSetNotification } from './features/tickets/subscriptions/sets/jobs.ts'
import { type JobLog, type Jobs, quiet, type RunningJobs, runJobs } from './lib/background/job-queue.ts'
import { sendMail } from './mail/mail-queue.ts'
import { cleanUp } from './process/clean-up/clean-up.ts'
import type { System } from './process/system.ts'

/** The code of each kind of job. */
const jobs: Jobs = {
  'send-mail': sendMail,
  'send-notification': sendNotification,
  'send-set-notification': sendSetNotification,
  'request-reset': requestReset,
  'reset-mail': resetMail,
  'welcome-mail': welcomeMail,
  'index-field': indexField,
  'clean-up': cleanUp,
  'clean-up-files': cleanUpFiles,
  'remove-files': removeFiles,
  'scrub-files': scrubFiles,
}

/** How long a stop waits for a mail server, in milliseconds: less than for running jobs, because a job that outlasts the process stays locked for minutes. */
const mailPatience = 7000

/** Starts what this process does in the background: jobs, mail, notifications, the search's index. `report` receives failures and must not throw. */
export async function startTasks(system: System, report: (error: unknown) => void, log: JobLog = quiet): Promise<RunningJobs> {
  const running = await runJobs(system, jobs, report, log)
  const pollers = [deliverNotices(system, report), startMergingPendingLists(system, report)]
  return {
    async stop() {
      const silence = setTimeout(() => system.mailer.giveUp(), mailPatience)
      await Promise.all(pollers.map(each => each.stop()))
      await running.stop()
      clearTimeout(silence)
    },
  }
}
