// One part of the bench in a process of its own: nothing of the others is in its memory, and it can be ended when it hangs.
import { partModule } from './parts.js'

const { run } = await partModule(process.argv[2])
const found = await run()
process.stdout.write(JSON.stringify(found), () => process.exit(0))
