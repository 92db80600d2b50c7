import { defineScript } from '@redis/client';

/*
 * Atomic steps as Lua scripts, which serialise all processes. A finished entry leaves its stream, so a stream
 * contains only waiting and running entries.
 */

/** @param {string} text */
const script = (text, keys = 1) =>
  defineScript({
    SCRIPT: text,
    NUMBER_OF_KEYS: keys,
    /**
     * Keys first, then the other arguments.
     * @param {{ push(...args: string[]): unknown }} parser
     * @param {(string | number)[]} args
     */
    parseCommand: (parser, ...args) => void parser.push(...args.map(String)),
    /** @returns {unknown} */
    transformReply: (/** @type {unknown} */ reply) => reply,
  });

export const scripts = {
  /** tasks open | capacity id field value … → 1 if the attempt is in the stream, 0 if the stream is full. */
  addTask: script(
    `
    local entry = redis.call('HGET', KEYS[2], ARGV[2])
    if entry and #redis.call('XRANGE', KEYS[1], entry, entry) == 1 then return 1 end
    if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
    redis.call('HSET', KEYS[2], ARGV[2], redis.call('XADD', KEYS[1], '*', unpack(ARGV, 3)))
    return 1`,
    2,
  ),

  /** events | capacity field value … → 1, or 0 if the stream is full. */
  addEvent: script(`
    if redis.call('XLEN', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
    redis.call('XADD', KEYS[1], '*', unpack(ARGV, 2))
    return 1`),

  /** stream open | group entry id: removes a finished entry, also of another owner. */
  settle: script(
    `
    redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
    redis.call('XDEL', KEYS[1], ARGV[2])
    if redis.call('HGET', KEYS[2], ARGV[3]) == ARGV[2] then redis.call('HDEL', KEYS[2], ARGV[3]) end`,
    2,
  ),

  /** stream | group consumer entry handedBack forget: returns an own entry; forget = 1 if it was never started. */
  handBack: script(`
    local pending = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], ARGV[3], 1)[1]
    if not pending or pending[2] ~= ARGV[2] then return end
    local deliveries = pending[4] - tonumber(ARGV[5])
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[4], 0, ARGV[3], 'RETRYCOUNT', deliveries, 'JUSTID')`),

  /**
   * stream | group consumer wanted limit idle alive handedBack → [mode, [[entry, deliveries, fields] …]]
   *
   * Takes over entries of dead consumers. An entry with one delivery left may have killed its owner: it is given
   * alone to an idle worker (`alone`), and until one is idle no worker takes more (`drain`).
   */
  adopt: script(`
    local stream, group, me, wanted, limit = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
    local idle, alive, back = ARGV[5] == '1', ARGV[6], ARGV[7]
    local found, last = {}, nil
    for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', stream, group)) do
      local name, holds = consumer[2], consumer[4]
      local gone = name ~= me and redis.call('EXISTS', alive .. name) == 0
      if gone and holds == 0 then
        redis.call('XGROUP', 'DELCONSUMER', stream, group, name)
      elseif gone then
        for _, pending in ipairs(redis.call('XPENDING', stream, group, '-', '+', wanted, name)) do
          local died = name ~= back
          if died and limit > 1 and pending[4] == limit - 1 then last = last or pending[1]
          elseif #found < wanted then found[#found + 1] = pending[1] end
        end
      end
    end
    if last and not idle then return {'drain', {}} end
    local taken = {}
    for _, id in ipairs(last and {last} or found) do
      local entry = redis.call('XCLAIM', stream, group, me, 0, id)[1]
      if entry then
        local pending = redis.call('XPENDING', stream, group, id, id, 1)[1]
        taken[#taken + 1] = {id, pending[4], entry[2]}
      else
        redis.call('XACK', stream, group, id)
      end
    end
    return {last and 'alone' or 'several', taken}`),

  /** stream alive | group consumer leaseMs. PEXPIRE works even if Redis refuses new data. */
  renew: script(
    `
    if redis.call('PEXPIRE', KEYS[2], ARGV[3]) == 0 then redis.call('SET', KEYS[2], '1', 'PX', ARGV[3]) end
    redis.call('XGROUP', 'CREATECONSUMER', KEYS[1], ARGV[1], ARGV[2])`,
    2,
  ),

  /** stream alive | group consumer: frees its entries at once. */
  leave: script(
    `
    redis.call('DEL', KEYS[2])
    if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) == 0 then
      redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
    end`,
    2,
  ),

  /** stream | group alive → [waiting, consumers]; entries of dead consumers count as waiting. */
  depth: script(`
    local waiting, consumers = redis.call('XLEN', KEYS[1]), 0
    for _, consumer in ipairs(redis.call('XINFO', 'CONSUMERS', KEYS[1], ARGV[1])) do
      if redis.call('EXISTS', ARGV[2] .. consumer[2]) == 1 then
        consumers = consumers + 1
        waiting = waiting - consumer[4]
      end
    end
    return {waiting, consumers}`),
};
