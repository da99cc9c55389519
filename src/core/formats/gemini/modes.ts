import type { ProgramModes } from '../agent-program.ts'

export const geminiModes: ProgramModes = {
  dialogue: [
    { id: 'default', title: 'Ask', note: 'Reads files. Asks before anything else.', dangerous: false },
    {
      id: 'auto_edit',
      title: 'Accept edits',
      note: 'Also edits files without asking. Asks before commands.',
      dangerous: false
    },
    {
      id: 'yolo',
      title: 'Yolo',
      note: 'Runs any command and edits any file without asking.',
      dangerous: true
    }
  ],
  // Without "plan": unattended, it leaves that mode by itself and executes the plan without approval.
  plain: [
    {
      id: 'default',
      title: 'Default permissions',
      note: 'Reads files. Anything that needs approval is denied.',
      dangerous: false
    },
    {
      id: 'auto_edit',
      title: 'Accept edits',
      note: 'Also edits files without asking. Commands are denied.',
      dangerous: false
    },
    {
      id: 'yolo',
      title: 'Yolo',
      note: 'Runs any command and edits any file without asking.',
      dangerous: true
    }
  ]
}
