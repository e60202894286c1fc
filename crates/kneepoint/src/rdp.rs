//! Users at screens over RDP, where this program speaks it: the feature `rdp`.

use kneepoint_server::desktop::RdpDoor;

/// Where the password of accounts is.
pub(crate) const RDP_PASSWORD: &str = "KNEEPOINT_RDP_PASSWORD";

/// What makes the door of an RDP server; `None` in a program without RDP.
pub(crate) fn door() -> Option<RdpDoor> {
    #[cfg(feature = "rdp")]
    return Some(spoken::door);
    #[cfg(not(feature = "rdp"))]
    None
}

#[cfg(feature = "rdp")]
mod spoken {
    use std::sync::Arc;

    use kneepoint_core::words::fault::Fault;
    use kneepoint_rdp::{Account, Area, Change, Client, Trust, Way};
    use kneepoint_server::desktop::RdpServer;
    use kneepoint_server::desktop::client::{Door, Event, KeyWay, Leave, ScreenClient};
    use kneepoint_server::desktop::screen::{Rect, Screen};

    use super::RDP_PASSWORD as PASSWORD;

    /// The door of a server, whose accounts have the password of the environment.
    pub(super) fn door(server: &RdpServer) -> Arc<dyn Door> {
        let password = std::env::var(PASSWORD).unwrap_or_default();
        Arc::new(Server { server: server.clone(), password })
    }

    struct Server {
        server: RdpServer,
        password: String,
    }

    impl Door for Server {
        fn client(&self, user: usize) -> Result<Box<dyn ScreenClient>, Fault> {
            if self.password.is_empty() {
                return Err(Fault::new("the password of the accounts is not known")
                    .because("no session begins without one")
                    .fix(format!("put it into the environment: {PASSWORD}")));
            }
            let account = Account {
                user: self.server.account(user)?,
                password: self.password.clone(),
                host: self.server.host.clone(),
                size: self.server.geometry,
                trust: self.server.certificate.map_or(Trust::Any, Trust::Digest),
            };
            let log_off = self.server.log_off.clone();
            Ok(Box::new(RdpScreen {
                client: Client::new(account)?,
                screen: Screen::default(),
                log_off,
                failed: None,
            }))
        }
    }

    /// A connection over RDP with the screen as users see it.
    struct RdpScreen {
        client: Client,
        screen: Screen,
        log_off: Vec<u32>,
        /// What went wrong when something was said; it is told when the server is heard next.
        failed: Option<Fault>,
    }

    impl RdpScreen {
        fn note(&mut self, said: Result<(), Fault>) {
            if let Err(fault) = said {
                self.failed.get_or_insert(fault);
            }
        }

        /// Takes over what has been painted.
        fn paint(&mut self, area: Area) {
            let Area { x, y, width, height } = area;
            self.screen.paint(Rect { x, y, width, height }, self.client.pixels(area));
        }
    }

    impl ScreenClient for RdpScreen {
        fn screen(&self) -> &Screen {
            &self.screen
        }

        fn take_output(&mut self) -> Vec<u8> {
            self.client.take_output()
        }

        fn key(&mut self, symbol: u32, way: KeyWay) {
            let way = match way {
                KeyWay::Down => Way::Down,
                KeyWay::Up => Way::Up,
            };
            let said = self.client.key(symbol, way);
            self.note(said);
        }

        fn pointer(&mut self, place: (u16, u16), buttons: u8) {
            let said = self.client.pointer(place, buttons);
            self.note(said);
        }

        fn feed(&mut self, bytes: &[u8]) -> Result<Vec<Event>, Fault> {
            if let Some(fault) = self.failed.take() {
                return Err(fault);
            }
            let changes = self.client.feed(bytes)?;
            let mut events = Vec::new();
            for change in changes {
                match change {
                    Change::Ready(width, height) => {
                        self.screen = Screen::new(width, height)
                            .ok_or_else(|| Fault::new("the server's screen has no pixels"))?;
                        events.push(Event::Ready);
                    }
                    Change::Painted(area) => {
                        self.paint(area);
                        events.push(Event::Updated);
                    }
                }
            }
            Ok(events)
        }

        fn leave(&mut self) -> Leave {
            if self.log_off.is_empty() {
                return Leave::Close;
            }
            for symbol in self.log_off.clone() {
                self.key(symbol, KeyWay::Down);
            }
            for symbol in self.log_off.clone().into_iter().rev() {
                self.key(symbol, KeyWay::Up);
            }
            Leave::Await
        }
    }
}
