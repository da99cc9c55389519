// node asking-agent.js NOTES: an agent that asks. Its prompt is JSON: `asks` requests in all, `open` at a time, and `says` a second. In the
// file NOTES it notes when it printed each.
import { appendFileSync } from 'node:fs'
import { createInterface } from 'node:readline'

const [notes = ''] = process.argv.slice(2)
const print = (record) => process.stdout.write(`${JSON.stringify({ session_id: 'bench', ...record })}\n`)
const says = (...content) => print({ type: 'assistant', message: { role: 'assistant', model: 'm', content } })

let plan = null
let asked = 0
let open = 0

function ask() {
  while (open < plan.open && asked < plan.asks) {
    const id = `${process.pid}-${asked++}`
    open++
    const input = {
      command: `npm test -- part-${id} --reporter=verbose`,
      description: `Runs part ${asked} of the tests`
    }
    says({ type: 'tool_use', id: `call-${id}`, name: 'Bash', input })
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input, tool_use_id: `call-${id}` }
    appendFileSync(notes, `${id} ${Date.now()}\n`)
    print({ type: 'control_request', request_id: id, request })
  }
}

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { type, request_id, request, response, message } = JSON.parse(line)
    if (type === 'control_request') {
      print({ type: 'control_response', response: { subtype: 'success', request_id, response: {} } })
      if (request.subtype === 'interrupt') print({ type: 'result', subtype: 'error_during_execution', is_error: true })
    } else if (type === 'user' && plan === null) {
      plan = JSON.parse(message.content)
      print({ type: 'system', subtype: 'init', model: 'm', cwd: process.cwd(), tools: [], permissionMode: 'default' })
      if (plan.says > 0) setInterval(() => says({ type: 'text', text: 'I look at the next part.' }), 1000 / plan.says)
      ask()
    } else if (type === 'control_response') {
      open--
      const content = [{ type: 'tool_result', tool_use_id: `call-${response.request_id}`, content: 'ok' }]
      print({ type: 'user', message: { role: 'user', content } })
      ask()
    }
  })
  .on('close', () => process.exit(0))
