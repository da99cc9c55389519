/** The `type` of the window messages in which page and preload ask for and pass a port, and the channel of preload and main. */
export const portMessage = 'playhead-port'
