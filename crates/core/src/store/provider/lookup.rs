//! Serving the list of providers from memory.

use super::list::ProviderList;
use crate::store::{Result, Store};
use std::sync::Arc;

impl Store {
    /// The providers, as they are in the database now except for changes that another process made within half a second
    /// (on SQLite ten milliseconds). It reads the database only after the change feed has reported a change.
    pub async fn providers(&self) -> Result<Arc<ProviderList>> {
        if self.is_feed_recent().await
            && let Some(list) = self.shared.providers.current()
        {
            return Ok(list);
        }
        // Boxed: the future would be part of every page's, and few need it.
        Box::pin(self.read_providers()).await
    }

    /// The providers as this process last read them; `None` if it has not read any. Only for what a person is shown.
    pub fn providers_in_memory(&self) -> Option<Arc<ProviderList>> {
        self.shared.providers.last_read()
    }

    async fn read_providers(&self) -> Result<Arc<ProviderList>> {
        let started = self.shared.providers.start_read();
        let mut conn = self.read_internal().await?;
        // Before the list, which then is of this version or of a later one.
        let version = conn.providers_version().await?;
        let rows = conn.providers_list().await?.into_iter().map(Arc::new).collect();
        let list = Arc::new(ProviderList { version, rows });
        self.shared.providers.keep(started, &list);
        Ok(list)
    }
}
