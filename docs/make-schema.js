// `npm run schema`: writes agent-event.schema.json from the zod schema of the events. A test says when that is due.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { agentEventJsonSchema } from '../out/core/index.js'

const path = fileURLToPath(new URL('agent-event.schema.json', import.meta.url))
const options = { ...(await resolveConfig(path)), filepath: path }
writeFileSync(path, await format(JSON.stringify(agentEventJsonSchema()), options))
console.log(`written: ${path}`)
