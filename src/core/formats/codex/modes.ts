import type { ProgramModes } from '../agent-program.ts'

export const codexModes: ProgramModes = {
  // Asking is for what the sandbox does not allow: the narrowest sandbox asks before anything is changed.
  dialogue: [
    {
      id: 'read-only',
      title: 'Ask',
      note: 'Reads files and runs read-only commands. Asks before anything else.',
      dangerous: false
    },
    {
      id: 'workspace-write',
      title: 'Write to its folder',
      note: 'Also edits files in its folder and in temporary folders. Asks before anything else.',
      dangerous: false
    },
    {
      id: 'danger-full-access',
      title: 'Full access',
      note: 'Runs any command and edits any file without asking. No sandbox.',
      dangerous: true
    }
  ],
  plain: [
    {
      id: 'read-only',
      title: 'Read only',
      note: 'Reads files and runs read-only commands.',
      dangerous: false
    },
    {
      id: 'workspace-write',
      title: 'Write to its folder',
      note: 'Also edits files in its folder and in temporary folders. No network access.',
      dangerous: false
    },
    {
      id: 'danger-full-access',
      title: 'Full access',
      note: 'Runs any command and edits any file without asking. No sandbox.',
      dangerous: true
    }
  ]
}
