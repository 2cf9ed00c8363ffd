/**
 * Takes units, or returns how long to wait. One round trip decides for all processes, by Redis' own clock.
 *
 * Three limits hold at once: a token bucket for the per-second limit, a count of the units of the last 60 seconds for
 * the per-minute one, and for background calls a second bucket that spreads them evenly over the minute (interactive
 * calls draw from it too, into debt, so background calls make room afterwards). A grant is a reservation: the units are
 * booked at once, the caller goes after `wait`. So callers queue in order of arrival without polling.
 *
 * KEYS: bucket hash, window hash, pause. ARGV: units, rank (0 interactive, 1 background, 2 spare), rate per s, burst,
 * reserve, per minute, pace per s, pace burst, longest wait in ms, time in ms for which a spare call yields to a
 * background call that had to wait. Returns {status, wait in ms}: 1 granted, go after the wait; 0 not granted, ask
 * again about then; 2 paused until then.
 */
export const TAKE_UNITS = `
local units, rank = tonumber(ARGV[1]), tonumber(ARGV[2])
local background = rank > 0
local rate, burst, reserve = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
local perMinute, paceRate, paceBurst = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local longest, yields = tonumber(ARGV[9]), tonumber(ARGV[10])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local second = tonumber(time[1])

local pausedUntil = tonumber(redis.call('GET', KEYS[3]) or '0')
if pausedUntil > now then return {2, math.ceil(pausedUntil - now)} end

local state = redis.call('HMGET', KEYS[1], 'tokens', 'pace', 'at', 'second', 'used', 'wanted')
local yielding = tonumber(state[6] or '0') + yields - now
if rank == 2 and yielding > 0 then return {0, math.ceil(math.max(yielding, longest + 1))} end
local tokens, pace = tonumber(state[1] or burst), tonumber(state[2] or paceBurst)
local elapsed = math.max(0, now - tonumber(state[3] or now)) / 1000
tokens = math.min(burst, tokens + elapsed * rate)
pace = math.min(paceBurst, pace + elapsed * paceRate)

local used = tonumber(state[5] or '0')
local slots
local function readSlots()
  slots = {}
  local flat = redis.call('HGETALL', KEYS[2])
  for i = 1, #flat, 2 do
    slots[#slots + 1] = {tonumber(flat[i]), tonumber(flat[i + 1])}
  end
  table.sort(slots, function(a, b) return a[1] < b[1] end)
end
if tonumber(state[4] or '-1') ~= second then
  readSlots()
  used = 0
  local kept = {}
  for _, slot in ipairs(slots) do
    if slot[1] <= second - 61 then
      redis.call('HDEL', KEYS[2], slot[1])
    else
      used = used + slot[2]
      kept[#kept + 1] = slot
    end
  end
  slots = kept
end

local need = math.min(burst, units + (background and reserve or 0))
local wait = math.max(0, (need - tokens) / rate * 1000)
if background then
  wait = math.max(wait, (math.min(paceBurst, units) - pace) / paceRate * 1000)
end
local excess = used + units - perMinute
if excess > 0 and used > 0 then
  if not slots then readSlots() end
  for _, slot in ipairs(slots) do
    excess = excess - slot[2]
    wait = math.max(wait, (slot[1] + 61) * 1000 - now)
    if excess <= 0 then break end
  end
end
wait = math.ceil(wait)

if wait > longest and rank < 2 then redis.call('HSET', KEYS[1], 'wanted', string.format('%.0f', now)) end
if wait <= longest then
  tokens = tokens - units
  pace = math.max(-perMinute, pace - units)
  used = used + units
  redis.call('HINCRBYFLOAT', KEYS[2], math.floor((now + wait) / 1000), units)
  redis.call('PEXPIRE', KEYS[2], 180000)
end
redis.call('HSET', KEYS[1], 'tokens', string.format('%.4f', tokens), 'pace', string.format('%.4f', pace),
  'at', string.format('%.3f', now), 'second', second, 'used', string.format('%.4f', used))
redis.call('PEXPIRE', KEYS[1], 180000)
return {wait <= longest and 1 or 0, wait}
`;

/**
 * Takes units that are spent already. The buckets may go into debt, by no more than a minute's units.
 *
 * KEYS: bucket hash, window hash. ARGV: units, rate per s, burst, per minute, pace per s, pace burst.
 */
export const DEBIT_UNITS = `
local units, rate, burst = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local perMinute, paceRate, paceBurst = tonumber(ARGV[4]), tonumber(ARGV[5]), tonumber(ARGV[6])
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local state = redis.call('HMGET', KEYS[1], 'tokens', 'pace', 'at', 'second')
-- Later than now while the account is paused: it fills from there.
local at = math.max(now, tonumber(state[3] or now))
local elapsed = (at - tonumber(state[3] or now)) / 1000
local tokens = math.min(burst, tonumber(state[1] or burst) + elapsed * rate)
local pace = math.min(paceBurst, tonumber(state[2] or paceBurst) + elapsed * paceRate)
redis.call('HSET', KEYS[1], 'tokens', string.format('%.4f', math.max(-perMinute, tokens - units)),
  'pace', string.format('%.4f', math.max(-perMinute, pace - units)), 'at', string.format('%.3f', at))
-- In another second the count is made anew from the window.
if state[4] == time[1] then redis.call('HINCRBYFLOAT', KEYS[1], 'used', units) end
redis.call('HINCRBYFLOAT', KEYS[2], time[1], units)
redis.call('PEXPIRE', KEYS[1], math.ceil(at - now) + 180000)
redis.call('PEXPIRE', KEYS[2], 180000)
`;

/**
 * Pauses the account, never shortening a pause, and empties its bucket so that calls start slowly afterwards.
 *
 * KEYS: bucket hash, pause. ARGV: pause in ms. Returns the pause's remaining ms.
 */
export const PAUSE_ACCOUNT = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local asked = math.ceil(now + tonumber(ARGV[1]))
local current = tonumber(redis.call('GET', KEYS[2]) or '0')
if asked > current then
  redis.call('SET', KEYS[2], string.format('%.0f', asked), 'PX', math.max(1, math.ceil(asked - now)))
  current = asked
end
redis.call('HSET', KEYS[1], 'tokens', '0', 'at', string.format('%.3f', current))
redis.call('PEXPIRE', KEYS[1], math.ceil(current - now) + 180000)
return math.ceil(current - now)
`;
