import CDrill

/// One way out that is tried, and what proves that it worked.
struct Attack: Hashable {
    let number: Int32
    let name: String
    let goal: drill_goal

    static let all: [Attack] = {
        var attacks: [Attack] = []
        while let row = drill_attack_at(Int32(attacks.count)) {
            attacks.append(
                Attack(
                    number: Int32(attacks.count), name: String(cString: row.pointee.name),
                    goal: row.pointee.goal))
        }
        return attacks
    }()

    func run(_ goals: inout drill_goals) {
        drill_attack_at(number)?.pointee.run(&goals)
    }

    /// What shows that the goal was reached, in words.
    var proof: String {
        switch goal {
        case DRILL_GOAL_FILE_CANARY: "the file's bytes"
        case DRILL_GOAL_MEMORY_CANARY: "bytes of the victim's memory"
        case DRILL_GOAL_SHARED_CANARY: "bytes that the victim shared"
        case DRILL_GOAL_SOCKET_CANARY: "bytes that the socket sends"
        case DRILL_GOAL_FILE_MADE: "a new file"
        case DRILL_GOAL_ROOT_FILE_MADE: "a new file where only root may make one"
        case DRILL_GOAL_FILE_SPOILED: "a changed file"
        case DRILL_GOAL_VICTIM_HURT: "a victim that is not as it was"
        case DRILL_GOAL_LISTENER_SAW: "a listener that saw it"
        case DRILL_GOAL_REACHABLE: "a connection from outside"
        default: "its own word"
        }
    }

    static func == (left: Attack, right: Attack) -> Bool { left.number == right.number }
    func hash(into hasher: inout Hasher) { hasher.combine(number) }
}
