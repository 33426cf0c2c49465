// The two channels between the page and main; the preload and the transport must agree on them.
export const REQUEST_CHANNEL = 'request'
export const EVENT_CHANNEL = 'event'
