//! Shortest routes: Dijkstra's algorithm on a generated network of roads.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::member::{Class, Member, Scale};
use crate::output::Output;
use crate::random::Random;

pub(crate) const MEMBER: Member = Member {
    name: "routes",
    class: Class::Integer,
    title: "Shortest routes",
    work: "finds the shortest routes from several towns to all others in a network of roads (Dijkstra's \
           algorithm with a binary heap; 60 MB)",
    unit: "the routes from one town in a network of 490,000",
    run,
};

fn run(scale: Scale) -> Output {
    let (side, towns) = scale.choose((700, 215), (700, 4), (12, 3));
    let mut output = Output::default();
    let mut random = Random::new(0x5eed_0009);
    let network = Network::new(side, &mut random);
    for _ in 0..towns {
        let start = random.index(network.nodes());
        let routes = network.routes(start);
        let farthest = routes.iter().max().copied().unwrap_or_default();
        output.count("farthest", farthest);
        output.count("sum", routes.iter().sum::<u64>());
        let bytes: Vec<u8> = routes.iter().flat_map(|length| length.to_le_bytes()).collect();
        output.content("routes", &bytes);
    }
    output
}

/// Roads by the town where they begin.
#[derive(Debug)]
struct Network {
    /// Index of the first road of each town, and the number of all roads.
    first: Vec<u32>,
    /// Where roads lead, and how long they are.
    roads: Vec<(u32, u32)>,
}

impl Network {
    /// Towns on a grid, numbered in random order, with roads to their neighbours and some far away.
    fn new(side: usize, random: &mut Random) -> Self {
        let nodes = side * side;
        let mut names: Vec<u32> = (0..nodes as u32).collect();
        for index in (1..nodes).rev() {
            names.swap(index, random.index(index + 1));
        }
        let mut lists = vec![Vec::new(); nodes];
        let mut connect = |a: usize, b: usize, length: u32| {
            lists[names[a] as usize].push((names[b], length));
            lists[names[b] as usize].push((names[a], length));
        };
        for place in 0..nodes {
            if place % side + 1 < side {
                connect(place, place + 1, 10 + random.below(90) as u32);
            }
            if place + side < nodes {
                connect(place, place + side, 10 + random.below(90) as u32);
            }
            if random.once_in(50) {
                connect(place, random.index(nodes), 500 + random.below(3000) as u32);
            }
        }
        let mut first = vec![0];
        let mut roads = Vec::new();
        for list in &lists {
            roads.extend_from_slice(list);
            first.push(roads.len() as u32);
        }
        Self { first, roads }
    }

    fn nodes(&self) -> usize {
        self.first.len() - 1
    }

    fn roads_of(&self, town: usize) -> &[(u32, u32)] {
        &self.roads[self.first[town] as usize..self.first[town + 1] as usize]
    }

    /// The lengths of the shortest routes from `start`.
    fn routes(&self, start: usize) -> Vec<u64> {
        let mut lengths = vec![u64::MAX; self.nodes()];
        lengths[start] = 0;
        let mut open = BinaryHeap::from([Reverse((0, start as u32))]);
        while let Some(Reverse((length, town))) = open.pop() {
            if length > lengths[town as usize] {
                continue;
            }
            for &(next, road) in self.roads_of(town as usize) {
                let longer = length + u64::from(road);
                if longer < lengths[next as usize] {
                    lengths[next as usize] = longer;
                    open.push(Reverse((longer, next)));
                }
            }
        }
        lengths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The algorithm of Bellman and Ford, which knows no order.
    fn relaxed(network: &Network, start: usize) -> Vec<u64> {
        let mut lengths = vec![u64::MAX; network.nodes()];
        lengths[start] = 0;
        for _ in 0..network.nodes() {
            for town in
                (0..network.nodes()).filter(|town| lengths[*town] < u64::MAX).collect::<Vec<_>>()
            {
                for &(next, road) in network.roads_of(town) {
                    let longer = lengths[town] + u64::from(road);
                    lengths[next as usize] = lengths[next as usize].min(longer);
                }
            }
        }
        lengths
    }

    #[test]
    fn routes_are_those_of_another_algorithm() {
        for seed in 0..4 {
            let mut random = Random::new(seed);
            let network = Network::new(7, &mut random);
            let start = random.index(network.nodes());
            let routes = network.routes(start);
            assert_eq!(routes, relaxed(&network, start));
            assert!(routes.iter().all(|length| *length < 2000));
        }
    }
}
