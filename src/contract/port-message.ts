/** The `type` of window messages that ask for and pass a port, and the channel of preload and main. */
export const portMessage = 'playhead-port'
