import { count, members, role, type StatedValues, time, usd } from '../stated-values.ts'

/** Each row of the database. */
export const gooseValues: StatedValues = members({
  row: members({
    role: role('user', 'assistant', 'system', 'tool'),
    created_at: time,
    updated_at: time,
    timestamp: time,
    created_timestamp: time,
    input_tokens: count,
    output_tokens: count,
    total_tokens: count,
    cache_read_tokens: count,
    cache_write_tokens: count,
    cost: usd
  })
})
