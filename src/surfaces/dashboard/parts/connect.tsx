/** The first thing to do where no agent is connected. */
export const CONNECT = (
  <>
    Connect your agent with <code>oncebitten install</code>: no agent has the hooks of Oncebitten yet, so no agent gets
    lessons.
  </>
);
