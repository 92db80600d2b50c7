/** Assistant messages that the statistics count as answers to questions. */
const counted = `messages.role = 'assistant' AND messages.draft = 0 AND messages.status <> 'generating'
  AND messages.user_message_id IS NOT NULL AND messages.finish_reason <> 'tool-calls'
  AND (messages.status <> 'completed' OR messages.outcome IS NOT NULL)`;

/**
 * Selects counters of agents that differ from a recount of the stored conversations, as long as no conversation was
 * deleted. Conversations are compared without their days; rows of deleted agents do not count.
 */
export const statisticsOff = `SELECT agent_id, counted_on, name, SUM(n) AS difference FROM (
    SELECT agent_id, CASE WHEN name = 'conversations' THEN '' ELSE counted_on END AS counted_on, name, n
      FROM agent_counts WHERE kind = 'day'
    UNION ALL SELECT agent_id, '', 'conversations', -1 FROM conversations
    UNION ALL SELECT agent_id, counted_on, 'questions', -1 FROM messages WHERE ${counted}
    UNION ALL SELECT agent_id, counted_on, outcome, -1 FROM messages WHERE ${counted} AND outcome IS NOT NULL
    UNION ALL SELECT agent_id, counted_on, feedback, -1 FROM messages WHERE ${counted} AND feedback IS NOT NULL
    UNION ALL SELECT messages.agent_id, counted_on, 'visitors', -COUNT(DISTINCT conversations.user_id) FROM messages
      JOIN conversations ON conversations.id = conversation_id WHERE ${counted} GROUP BY messages.agent_id, counted_on
  ) AS counts WHERE agent_id IN (SELECT id FROM agents) GROUP BY agent_id, counted_on, name HAVING SUM(n) <> 0`;
